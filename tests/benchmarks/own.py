"""Measure what calls of this package cost in a process that has made them before, as in a notebook.

    python -m benchmarks.own FOLDER ROUNDS ROWS…

Prints JSON: CPU seconds, and for small data ratios to the CPU seconds of a plain question. These are medians of rounds
in which all calls take turns.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.data import DATA_SETS, METRIC_SETS
from recall_duckdb import evaluate, install, sql

PLAIN = "evaluating 1,000 rows, CPU s"
Calls = dict[str, Callable[[], object]]


def small_calls(folder: Path) -> Calls:
    """Return calls for 1,000 rows of 100 queries: a plain question, the same with an option, and what follows it."""
    run, qrels = DATA_SETS["short"].files(folder, 1_000)
    connection = duckdb.connect()
    ranks = "row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank"
    more = folder / "more_columns.parquet"
    connection.sql(f"SELECT *, query % 3 AS part, {ranks} FROM '{run}'").write_parquet(str(more))
    low = connection.sql(f"SELECT query, item FROM '{run}' WHERE score < 0.1").to_arrow_table()
    options: dict[str, dict[str, Any]] = {
        "by": {"by": "part"},
        "exclude": {"exclude": low},
        "rank": {"rank": "rank"},
        "min_score": {"min_score": 0.1},
    }
    ask = partial(evaluate, metrics=["recall@10", "ndcg@10", "ap@10", "rr@10"])
    two_models = ask({"old": run, "new": run}, qrels)
    install(connection)
    statement = sql(str(run), str(qrels), "recall@10", connection=connection)
    macro = f"FROM recall_duckdb.recall_at_k('{run}', '{qrels}', 10)"
    return {
        PLAIN: lambda: ask(run, qrels),
        **{f"the same with {name}": partial(ask, more, qrels, **option) for name, option in options.items()},
        "comparing two models": lambda: two_models.compare(baseline="old"),
        "a report of two models": lambda: two_models.report(folder / "report.html", baseline="old"),
        "the statement of recall@10 in DuckDB": lambda: connection.execute(statement).fetchall(),
        "the table macro recall_at_k": lambda: connection.execute(macro).fetchall(),
    }


def large_calls(folder: Path, sizes: Sequence[int]) -> Calls:
    """Return evaluations of runs with these numbers of rows."""
    return {
        f"evaluating {rows:,} rows, {name}, CPU s": partial(
            evaluate, *DATA_SETS["clustered"].files(folder, rows), metrics=METRIC_SETS[name]
        )
        for rows in sizes
        for name in ("k10", "k50")
    }


def medians(calls: Calls, rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each call; the first round, which imports and composes, does not count."""
    spent = [{name: seconds(call) for name, call in calls.items()} for _ in range(1 + rounds)]
    return {name: statistics.median(each[name] for each in spent[1:]) for name in calls}


def seconds(call: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    before = time.process_time()
    call()
    return time.process_time() - before


def main(folder: Path, rounds: int, *sizes: int) -> dict[str, float]:
    """Measure all of these."""
    small = medians(small_calls(folder), rounds)
    ratios = {f"{name} / a plain question": cost / small[PLAIN] for name, cost in small.items() if name != PLAIN}
    return {PLAIN: small[PLAIN], **ratios, **medians(large_calls(folder, sizes), min(rounds, 3))}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
