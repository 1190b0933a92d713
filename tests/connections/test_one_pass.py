"""Over a connection, one statement returns means, counts and the soundness of the data, and reads the run once."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from asking import fails, load, nightly_but
from engine_cases import as_tables, assert_same, question, rows_of
from engines import Engine, on
from fault_cases import CASES, ONLY_DUCKDB

from recall_duckdb import DataError, evaluate
from recall_duckdb.definitions import templates

Columns = dict[str, list[Any]]
ASKED = [
    *("ties=item", "no_relevant=skip", "missing=skip", "precision=retrieved", "threshold, min_score", "depth"),
    *("ranks=renumber", "a model column", "labels", "a query of two columns", "several runs"),
]


@pytest.mark.parametrize("name", ASKED)
def test_one_statement_gives_the_values_and_counts_of_duckdb(name: str) -> None:
    held, asked = question("missing=skip" if name == "several runs" else name)
    relations = {"run": held["run"], "qrels": held["qrels"] if asked["qrels"] else None}
    if name == "several runs":
        held = {**held, "other": {column: values[::2] for column, values in held["run"].items()}}
        asked |= {"run": {"A": "run", "b": "other"}}
        relations["run"] = {"A": held["run"], "b": held["other"]}
    executed: list[str] = []
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, held)
        connection.set_trace_callback(executed.append)
        there, here = evaluate(**asked, connection=connection), evaluate(**{**asked, **relations})
        assert_same(rows_of(there.to_dicts()), rows_of(here.to_dicts()))
        assert there.counts == here.counts
        # The others name the columns and their types, or look for a judged item if every metric is 0.
        long = [statement for statement in executed if len(statement) > 200]
        assert len([statement for statement in long if "first_judged" not in statement]) == 1
        assert_same(there.per_query.fetchall(), here.per_query.fetchall())


def _here(name: str) -> Any:
    case = CASES[name]
    return evaluate(case.run, case.qrels, **{"metrics": "recall@2", **case.arguments})


def _there(name: str) -> Any:
    case = CASES[name]
    tables, asked = as_tables(case.run, case.qrels, {"metrics": "recall@2", **case.arguments})
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, tables)
        return evaluate(**asked, connection=connection)


def _raised(name: str, ask: Callable[[str], Any]) -> str | None:
    try:
        ask(name)
    except DataError as error:
        return str(error)
    except Exception:
        return None
    return None


CHECKS = [name for name in templates.checks() if name not in ONLY_DUCKDB]
RAISED = {"duplicates", "empty_run", "no_common_query", "qrels_duplicates", "ranks", "run_ids", "run_scores"}


@pytest.mark.parametrize(
    "name", nightly_but((name for name in CHECKS if "one_pass" in templates.checks()[name].seen_by), CHECKS)
)
def test_a_fault_is_reported_as_on_duckdb(name: str) -> None:
    """The cases are those of tests/fault_cases.py; `evaluate` raises no error for some of them."""
    expected = _raised(name, _here)
    assert _raised(name, _there) == expected
    assert expected is not None or name not in RAISED


LONG: Columns = {"query": ["q"] * 5, "item": ["a", "b", "c", "d", "e"], "score": [5.0, 4.0, 3.0, 2.0, 1.0]}
ONE: Columns = {"query": ["q"], "item": ["a"], "relevance": [1]}


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("item", None, "Column 'item' is NULL in the run"),
        ("query", None, "Column 'query' is NULL in the run"),
        ("score", None, "Column 'score' is NULL or NaN"),
        ("score", float("nan"), "Column 'score' is NULL or NaN"),
    ],
)
def test_a_faulty_row_below_every_cutoff_is_found(column: str, value: object, message: str) -> None:
    run = {**LONG, column: [*LONG[column][:-1], value]}
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, {"run": run, "qrels": ONE})
        fails(DataError, message, evaluate, "run", "qrels", "recall@1", connection=connection)


def test_infinite_scores_rank_above_all_others() -> None:
    run = {**LONG, "score": [5.0, 4.0, 3.0, float("inf"), float("-inf")]}
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, {"run": run, "qrels": {**ONE, "item": ["d"]}})
        assert evaluate("run", "qrels", "recall@1", connection=connection).value("recall@1") == 1


def _asked(engine: Engine) -> tuple[str, str]:
    """Return the statements that `evaluate` runs for one run, and for a run with a model column."""
    texts = []
    for model in (None, "model"):
        executed: list[str] = []
        connection = _Recording(engine.connect(), executed)
        evaluate("run", "qrels", ["recall@2", "ndcg@3"], model=model, connection=connection, dialect=engine.dialect)
        [longest] = [text for text in executed if len(text) > 1000]
        texts.append(longest)
    return texts[0], texts[1]


class _Recording:
    """A DB-API connection that keeps the text of each statement."""

    def __init__(self, connection: Any, executed: list[str]) -> None:
        self.connection, self.executed = connection, executed

    def cursor(self) -> Any:
        return _Cursor(self.connection.cursor(), self.executed)


class _Cursor:
    def __init__(self, cursor: Any, executed: list[str]) -> None:
        self.cursor, self.executed = cursor, executed

    def execute(self, text: str) -> None:
        self.executed.append(text)
        self.cursor.execute(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cursor, name)


TABLES: dict[str, Columns] = {
    "run": {"model": ["A"] * 5, **LONG},
    "qrels": {"query": ["q", "q"], "item": ["a", "x"], "relevance": [1, 2]},
}


@pytest.mark.parametrize("engine", [on("Postgres"), on("Trino")], indirect=True)
def test_the_run_is_scanned_once_and_its_models_once(engine: Engine) -> None:
    engine.load(TABLES)
    one, models = _asked(engine)
    scan = {"postgres": r"Seq Scan on (run|qrels)\b", "trino": r"table = memory:(\d+)"}[engine.dialect]
    counts = []
    for text in (one, models):
        plan = "\n".join(str(row[0]) for row in engine.rows(f"EXPLAIN {text}"))
        counts.append(sorted(Counter(re.findall(scan, plan)).values()))
    # PostgreSQL keeps a relation that is read twice; Trino computes it again.
    assert counts == [[1, 1], [1, 1] if engine.dialect == "postgres" else [1, 2]]


@pytest.mark.parametrize("engine", [on("SQLite"), on("Postgres")], indirect=True)
def test_a_relevance_that_would_overflow_is_reported_as_a_fault(engine: Engine) -> None:
    engine.load({"run": LONG, "qrels": {"query": ["q"], "item": ["a"], "relevance": [1e300]}})
    connection = engine.connect()
    with pytest.raises(DataError, match="is 1e12 or more"):
        evaluate("run", "qrels", ["recall@1", "ndcg@3"], connection=connection, dialect=engine.dialect)
