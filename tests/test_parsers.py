"""The statement written for a dialect is one of its language, by a parser that did not write it.

The only evidence for a dialect that no engine here executes; a few statements of the others, beside theirs. Unknown
functions pass, and so do wrong numbers.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import lru_cache

import pytest
from grammar import complaints, parts
from test_dialects import CASES, PAIRS, arguments

from recall_duckdb import sql
from recall_duckdb.dialects import DIALECTS

# The grammar of a dialect, where sqlfluff has it under another name.
NAMES = {"spark": "sparksql"}
# The nearest grammar to a dialect that sqlfluff has not.
NEAREST = {"datafusion": "postgres", "fabric": "tsql", "presto": "trino", "risingwave": "postgres"}
# What a grammar does not know, though it is right: what it is read as instead, and why it is right.
KNOWN = {
    ("teradata", r" \*\* "): (
        " * ",
        "Teradata's operator for power(), which is no user-defined function, as WITH demands",
    ),
    ("oracle", r"(?<=\d)d\b"): ("", "a number that is a BINARY_DOUBLE from the start"),
}

EXECUTED = {dialect for _, dialect in PAIRS}
FEW = ["ties=expected, threshold", "slices"]
PARSED = [
    (dialect, name) for dialect in DIALECTS if dialect != "duckdb" for name in (FEW if dialect in EXECUTED else CASES)
]


def grammar(dialect: str) -> str:
    return NEAREST.get(dialect) or NAMES.get(dialect, dialect)


@lru_cache(maxsize=None)
def statements(dialect: str, name: str) -> list[str]:
    """The means and the values per query, in the words that the grammar knows."""
    found = [sql(**arguments(CASES[name]), dialect=dialect, per_query=per_query) for per_query in (False, True)]
    for (of, construct), (instead, _) in KNOWN.items():
        found = [re.sub(construct, instead, text) if of == dialect else text for text in found]
    return found


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    if importlib.util.find_spec("sqlfluff") is None:
        assert os.environ.get("RECALL_DUCKDB_ENGINES") != "all"
        pytest.skip("needs the Python package sqlfluff: pip install '.[lint]'")
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def asked(pool: ProcessPoolExecutor, request: pytest.FixtureRequest) -> dict[tuple[str, str], Future[list[str]]]:
    """What the parser says of all that the chosen tests ask, each part once."""
    found: dict[tuple[str, str], Future[list[str]]] = {}
    for item in request.session.items:
        values = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if item.path == request.path and "name" in values:
            dialect = values["dialect"]
            for key in [
                (grammar(dialect), part) for each in statements(dialect, values["name"]) for part in parts(each)
            ]:
                if key not in found:
                    found[key] = pool.submit(complaints, *key)
    return found


@pytest.mark.parametrize(("dialect", "name"), PARSED)
def test_a_parser_of_the_dialect_takes_what_is_written_for_it(
    asked: dict[tuple[str, str], Future[list[str]]],
    dialect: str,
    name: str,
    record_property: Callable[[str, object], None],
) -> None:
    by = f"sqlfluff, as {grammar(dialect)}" if dialect in NEAREST else "sqlfluff"
    record_property("evidence", (dialect, "parsed only", by))
    for statement in statements(dialect, name):
        for part in parts(statement):
            assert asked[grammar(dialect), part].result() == [], part


@pytest.mark.parametrize("dialect", sorted({dialect for dialect, _ in PARSED}))
def test_a_statement_is_parsed_as_a_whole_too(pool: ProcessPoolExecutor, dialect: str) -> None:
    [_, statement] = statements(dialect, "slices")
    assert pool.submit(complaints, grammar(dialect), statement).result() == []


@pytest.mark.parametrize(("dialect", "construct"), KNOWN)
def test_what_a_grammar_is_known_to_lack_it_lacks_still(dialect: str, construct: str) -> None:
    statement = sql("run", "qrels", "rr", dialect=dialect, threshold=0.5)
    assert re.search(construct, statement)
    assert complaints(grammar(dialect), statement) != []


def test_a_statement_of_another_dialect_does_not_parse() -> None:
    assert complaints("tsql", "SELECT a FROM b JOIN c USING (d)") != []
    assert complaints("oracle", "SELECT a FROM b AS c") != []
