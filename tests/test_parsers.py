"""The statement written for a dialect is one of its language, by a parser that did not write it.

The only evidence for a dialect that no engine here executes; of the others a few statements are parsed. Names of
functions and of types pass as they are, and a grammar may take more than the engine does.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest
from grammar import complaints, parts
from test_dialects import CASES, PAIRS, Case, arguments

from recall_duckdb import sql
from recall_duckdb.dialects import DIALECTS

pytestmark = pytest.mark.needs("sqlfluff")

# The grammar of a dialect, where sqlfluff has it under another name.
NAMES = {"spark": "sparksql"}
# The nearest grammar to a dialect that sqlfluff has not.
NEAREST = {"datafusion": "postgres", "fabric": "tsql", "presto": "trino", "risingwave": "postgres"}
# What a grammar does not take, though it is right: what it reads instead, and why it is right.
KNOWN = {
    ("oracle", r"(?<=\d)d\b"): ("", "a number that is a BINARY_DOUBLE from the start"),
    ("sqlite", r"\b(before|exclude|others|query)\b"): (r"\1_", "a keyword is a name wherever it can be none"),
    ("teradata", r" \*\* "): (" * ", "power() is a user-defined function there, which WITH forbids; this is none"),
}

# Statements do not differ by the types of the ids.
ASKED = [name for name, case in CASES.items() if case.ids == "text"]
EXECUTED = {dialect for _, dialect in PAIRS}
FEW = ["ties=expected, threshold", "slices"]
PARSED = [
    (dialect, name) for dialect in DIALECTS if dialect != "duckdb" for name in (FEW if dialect in EXECUTED else ASKED)
]
Complaints = dict[str, list[str]]


def grammar(dialect: str) -> str:
    return NEAREST.get(dialect) or NAMES.get(dialect, dialect)


def statements(dialect: str, case: Case) -> list[str]:
    """The means and the values per query, in the words that the grammar knows."""
    found = [sql(**arguments(case), dialect=dialect, per_query=per_query) for per_query in (False, True)]
    for (of, construct), (instead, _) in KNOWN.items():
        found = [re.sub(construct, instead, text) if of == dialect else text for text in found]
    return found


def complaints_by_case(dialect: str, names: list[str]) -> Complaints:
    """What the parser says against the statements of each case."""
    return {
        name: [
            f"{complaint} in {part}"
            for statement in statements(dialect, CASES[name])
            for part in parts(statement)
            for complaint in complaints(grammar(dialect), part)
        ]
        for name in names
    }


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def asked(pool: ProcessPoolExecutor, request: pytest.FixtureRequest) -> dict[str, Future[Complaints]]:
    """By dialect, what the parser says of all that the chosen tests ask: the dialects side by side."""
    names: dict[str, list[str]] = {}
    for item in request.session.items:
        values = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if item.path == request.path and "name" in values:
            names.setdefault(str(values["dialect"]), []).append(str(values["name"]))
    return {dialect: pool.submit(complaints_by_case, dialect, chosen) for dialect, chosen in names.items()}


@pytest.mark.evidence
@pytest.mark.parametrize(("dialect", "name"), PARSED)
def test_a_parser_of_the_dialect_takes_what_is_written_for_it(
    asked: dict[str, Future[Complaints]], dialect: str, name: str, record_property: Callable[[str, object], None]
) -> None:
    by = f"sqlfluff, as {grammar(dialect)}" if dialect in NEAREST else "sqlfluff"
    record_property("evidence", (dialect, "parsed only", by))
    assert asked[dialect].result()[name] == []


def test_a_statement_is_parsed_as_a_whole_too(pool: ProcessPoolExecutor) -> None:
    case = Case(["recall@2", "ndcg"])
    for dialect in sorted({dialect for dialect, _ in PARSED}):
        assert complaints(grammar(dialect), statements(dialect, case)[1]) == [], dialect


@pytest.mark.parametrize(("dialect", "construct"), KNOWN)
def test_what_a_grammar_is_known_to_lack_it_lacks_still(
    pool: ProcessPoolExecutor, dialect: str, construct: str
) -> None:
    statement = sql("run", "qrels", "rr", dialect=dialect, threshold=0.5)
    assert re.search(construct, statement)
    assert complaints(grammar(dialect), statement) != []


def test_a_reserved_word_as_a_bare_name_does_not_parse(pool: ProcessPoolExecutor) -> None:
    assert complaints("exasol", "SELECT a AS value FROM b") != []
    assert complaints("oracle", "SELECT share FROM b") != []
