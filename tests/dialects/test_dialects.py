"""Every engine computes the numbers of DuckDB from the SQL that is written for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import duckdb
import pyarrow
import pytest
from engine_cases import CASES, OF_RELATIVES, PAIRS, REWRITTEN, assert_same, on_duckdb, question
from engines import ENGINES, RELATIVE, Engine, Tables, on

from recall_duckdb import sql
from recall_duckdb.dialects import DIALECTS

# Spellings that DuckDB does not accept, and its own.
SPELLINGS = {
    "BINARY_DOUBLE": "DOUBLE", "BINARY_FLOAT": "FLOAT", "FLOAT(24)": "FLOAT", "IS NAN": "= CAST('NaN' AS DOUBLE)",
    " CHARACTER SET UNICODE": "", "FROM dual": "",
}  # fmt: skip


@pytest.mark.product
@pytest.mark.parametrize("dialect", ["exasol", "fabric", "oracle", "redshift", "snowflake", "teradata", "tsql"])
@pytest.mark.parametrize("name", REWRITTEN[::-1])
def test_rewrites_for_engines_that_are_not_available_keep_the_numbers(
    monkeypatch: pytest.MonkeyPatch, dialect: str, name: str
) -> None:
    """Run the statement of a dialect on DuckDB, in DuckDB's spelling."""
    monkeypatch.setitem(DIALECTS, dialect, replace(DIALECTS[dialect], writer="duckdb"))
    held, asked = question(name)
    with duckdb.connect() as connection:
        for table, columns in held.items():
            connection.register(table, pyarrow.table(dict(columns)))
        for per_query, expected in enumerate(on_duckdb(name)):
            statement = sql(**asked, dialect=dialect, per_query=bool(per_query))
            for theirs, ours in SPELLINGS.items():
                statement = statement.replace(theirs, ours)
            statement = re.sub(r"(?<=\d)d\b", "", statement)
            assert_same(connection.sql(statement).fetchall(), expected)


SLOWEST = ("Trino", "Spark")  # which need half a minute for every metric


def is_asked(engine: str, name: str, dialect: str) -> bool:
    """Return True if an engine runs a case in a dialect."""
    if dialect != ENGINES[engine].dialect:
        return name in OF_RELATIVES
    return engine not in SLOWEST or name != "every metric, whole numbers"


# An engine runs one case in all its dialects before the next case.
ASKED = [
    on(engine, name, dialect)
    for engine in ENGINES
    for name in CASES
    for own, dialect in PAIRS
    if own == engine and is_asked(engine, name, dialect)
]


class Memory:
    """Cache the last tables of every engine and its answers: related dialects often write the same SQL."""

    def __init__(self) -> None:
        self.tables: dict[Engine, Tables] = {}
        self.answers: dict[Engine, dict[str, list[tuple[Any, ...]]]] = {}

    def rows(self, engine: Engine, tables: Tables, statement: str) -> list[tuple[Any, ...]]:
        if self.tables.get(engine) is not tables:
            engine.load(tables)
            self.tables[engine], self.answers[engine] = tables, {}
        answers, text = self.answers[engine], statement.partition("*/")[2]  # without the head, which names the dialect
        if text not in answers:
            answers[text] = engine.rows(statement)
        return answers[text]


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory()


@pytest.mark.evidence
@pytest.mark.parametrize(("engine", "name", "dialect"), ASKED, indirect=["engine"])
def test_an_engine_computes_what_duckdb_computes(
    engine: Engine, memory: Memory, name: str, dialect: str, record_property: Callable[[str, object], None]
) -> None:
    record_property("evidence", (dialect, engine.label if dialect == engine.dialect else RELATIVE, engine.name))
    means, per_query = on_duckdb(name)
    held, asked = question(name)
    assert_same(memory.rows(engine, held, sql(**asked, dialect=dialect)), means)
    assert_same(memory.rows(engine, held, sql(**asked, dialect=dialect, per_query=True)), per_query)
