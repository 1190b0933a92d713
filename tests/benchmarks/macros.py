"""Measure what a call of a table macro costs, as a ratio to the statement that `sql` writes for the same question.

python -m benchmarks.macros     in the folder tests
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import duckdb

from recall_duckdb import install, sql

CASES = [(1_000, 100), (100_000, 100), (5_000_000, 10), (5_000_000, 100), (5_000_000, 1_000)]  # rows, rows of a list
CUTOFFS = [5, 10, 50, None]


def data(rows: int, length: int) -> duckdb.DuckDBPyConnection:
    """Return a database with the macros, a run of that many rows and qrels with a twentieth of its rows."""
    connection = duckdb.connect(config={"threads": 2})
    install(connection)
    pairs = f"SELECT n // {length} AS query, n * 7919 % 1000003 AS item FROM range({rows}) AS numbers (n)"
    connection.execute(f"CREATE TABLE run AS SELECT query, item, hash(query, item) / 2.0 ** 64 AS score FROM ({pairs})")
    connection.execute(f"CREATE TABLE qrels AS SELECT query, item, 1 AS relevance FROM ({pairs}) WHERE item % 20 = 3")
    return connection


def seconds(connection: duckdb.DuckDBPyConnection, statement: str) -> float:
    """Return the CPU seconds of a statement."""
    before = time.process_time()
    connection.execute(statement).fetchall()
    return time.process_time() - before


def measured(rows: int, length: int, rounds: int) -> Iterator[tuple[str, float, float]]:
    """Yield the metric, and the median seconds of the macro and of the statement, for each cutoff."""
    connection = data(rows, length)
    for k in CUTOFFS:
        metric = "recall" if k is None else f"recall@{k}"
        call = f"FROM recall_duckdb.recall_at_k('run', 'qrels', {'NULL' if k is None else k})"
        statement = sql("run", "qrels", metric, connection=connection)
        pairs = [(seconds(connection, call), seconds(connection, statement)) for _ in range(rounds)]
        yield metric, *(statistics.median(each) for each in zip(*pairs, strict=True))


def main() -> None:
    """Print the table of ratios."""
    for rows, length in CASES:
        for metric, macro, statement in measured(rows, length, 9 if rows < 1_000_000 else 3):
            ratio = f"{macro / statement:.2f}"
            print(f"{rows:,} rows, lists of {length}, {metric}: {macro:.3f} s, {statement:.3f} s: {ratio}")


if __name__ == "__main__":
    main()
