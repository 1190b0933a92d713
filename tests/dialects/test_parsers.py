"""An independent parser of each dialect accepts the statements written for it.

This is the only evidence for dialects that no engine here runs; for the others, only a few statements are parsed. A
parser does not check the names of functions and types, and may accept more than the engine.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest
from engine_cases import CASES, PAIRS, Case, arguments
from grammar import complaints, parts

from recall_duckdb import sql
from recall_duckdb.dialects import DIALECTS

pytestmark = pytest.mark.needs("sqlfluff")

# Dialects whose grammar has another name in sqlfluff.
NAMES = {"spark": "sparksql"}
# Dialects that sqlfluff lacks, with the nearest grammar.
NEAREST = {"datafusion": "postgres", "fabric": "tsql", "presto": "trino", "risingwave": "postgres"}
# Correct SQL that a grammar rejects: what it reads instead, and why the SQL is correct.
KNOWN = {
    ("oracle", r"(?<=\d)d\b"): ("", "the suffix makes a number a BINARY_DOUBLE"),
    ("sqlite", r"\b(before|exclude|others|query)\b"): (r"\1_", "a keyword is a valid name where no keyword can be"),
    ("teradata", r" \*\* "): (" * ", "power() is a user-defined function, which WITH forbids; ** is not"),
}

# Statements do not depend on the types of ids, so text ids are enough.
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
    """Return the statements of the means and of the values per query, without what the grammar rejects."""
    found = [sql(**arguments(case), dialect=dialect, per_query=per_query) for per_query in (False, True)]
    for (of, construct), (instead, _) in KNOWN.items():
        found = [re.sub(construct, instead, text) if of == dialect else text for text in found]
    return found


def complaints_by_case(dialect: str, names: list[str]) -> Complaints:
    """Return the parser's complaints about the statements of each case."""
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
    """The complaints about all selected cases by dialect; the dialects are parsed in parallel."""
    names: dict[str, list[str]] = {}
    for item in request.session.items:
        values = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if item.path == request.path and "name" in values:
            names.setdefault(str(values["dialect"]), []).append(str(values["name"]))
    return {dialect: pool.submit(complaints_by_case, dialect, chosen) for dialect, chosen in names.items()}


@pytest.mark.evidence
@pytest.mark.parametrize(("dialect", "name"), PARSED)
def test_a_parser_of_the_dialect_accepts_the_statement(
    asked: dict[str, Future[Complaints]], dialect: str, name: str, record_property: Callable[[str, object], None]
) -> None:
    by = f"sqlfluff, as {grammar(dialect)}" if dialect in NEAREST else "sqlfluff"
    record_property("evidence", (dialect, "parsed only", by))
    assert asked[dialect].result()[name] == []


def test_a_parser_also_accepts_the_statement_as_a_whole(pool: ProcessPoolExecutor) -> None:
    case = Case(["recall@2", "ndcg"])
    for dialect in sorted({dialect for dialect, _ in PARSED}):
        assert complaints(grammar(dialect), statements(dialect, case)[1]) == [], dialect


@pytest.mark.parametrize(("dialect", "construct"), KNOWN)
def test_a_grammar_still_rejects_what_it_is_known_to_reject(
    pool: ProcessPoolExecutor, dialect: str, construct: str
) -> None:
    statement = sql("run", "qrels", ["rr", "rbp"], dialect=dialect, threshold=0.5, sums="exact")
    assert re.search(construct, statement)
    assert complaints(grammar(dialect), statement) != []


def test_a_reserved_word_as_a_bare_name_does_not_parse(pool: ProcessPoolExecutor) -> None:
    assert complaints("exasol", "SELECT a AS value FROM b") != []
    assert complaints("oracle", "SELECT share FROM b") != []
