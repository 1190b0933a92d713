"""Measure what each fast plan saves, what a wrong choice costs on data made for that, and what one odd row costs.

python -m benchmarks.plans FOLDER [ROWS]          in the folder tests; the data are kept in that folder
python -m benchmarks.plans FOLDER [ROWS] odd      measures only what one odd row costs

Three ways take turns in one process: the definitions, the plans that are chosen, and the chosen plans except one. Their
values must be equal, bit for bit. The columns have drawn names, so that plans also rename columns.

An odd row is an id, a score or a label that breaks what a plan assumes, or a list of unusual length. The data with and
without it take turns.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from drawn import some_names

from benchmarks.data import DATA_SETS, METRIC_SETS, DataSet, build
from recall_duckdb import evaluate, evaluation
from recall_duckdb.errors import DataError
from recall_duckdb.fast import choosing
from recall_duckdb.fast.base import Rule

ROUNDS = 3
# Data on which a plan could lose.
ADVERSARIAL = {
    "equal": DataSet("equal", sets=("k10", "k50")),
    "one giant list": DataSet("clustered", width=0, sets=("k10", "k50")),
    "skewed": DataSet("skewed", qrels="skewed_qrels", sets=("k10", "k50")),
    "long lists of text": DataSet("text", qrels="text_qrels", width=10_000),
}
USUAL = ("clustered", "shuffled", "ranked", "labelled", "ties", "scaled", "long", "short", "text")
SETS = {**{name: DATA_SETS[name] for name in USUAL}, **ADVERSARIAL}
RULES = {rule.__module__.rpartition(".")[2]: rule for rule in choosing.RULES}


@contextmanager
def only(rules: Sequence[Rule], chosen: list[str]) -> Iterator[None]:
    """Let `evaluate` choose only among these rules; collect the names of what it chooses."""
    usual, all_rules = vars(evaluation)["choose"], choosing.RULES

    def choose(*arguments: Any) -> choosing.Chosen:
        found = choosing.choose(*arguments)
        chosen.extend(type(plan).__name__ for plan in found.fast_plans)
        return found

    vars(evaluation)["choose"], choosing.RULES = choose, tuple(rules)
    try:
        yield
    finally:
        vars(evaluation)["choose"], choosing.RULES = usual, all_rules


@dataclass(frozen=True)
class Way:
    """The seconds of CPU time that an evaluation took with some rules, the plans that it chose, and its values."""

    seconds: float
    plans: list[str]
    values: list[tuple[Any, ...]]


def evaluated(run: Path, qrels: Path | None, metrics: list[str], options: Any, rules: Sequence[Rule]) -> Way:
    """Evaluate once with these rules."""
    chosen: list[str] = []
    with only(rules, chosen), duckdb.connect(config={"memory_limit": "4GB"}) as connection:
        before = time.process_time()
        result = evaluate(str(run), None if qrels is None else str(qrels), metrics, connection=connection, **options)
        taken = time.process_time() - before
        return Way(taken, chosen, [tuple(row.values()) for row in result.to_dicts()])


def measured(folder: Path, name: str, metrics: str, rows: int, rounds: int) -> dict[str, Way]:
    """Return the median of each way by name: definition, chosen, and `without` each rule; raises on unequal values."""
    data_set = SETS[name]
    data_set = replace(data_set, width=data_set.width or rows)
    query, item, number, relevance = some_names(4, name)
    of_run = [query, item, number, *([relevance] if data_set.qrels is None else [])]
    run = build(folder, data_set.run, rows, data_set.width, of_run)
    of_qrels = [query, item, relevance]
    qrels = None if data_set.qrels is None else build(folder, data_set.qrels, rows, data_set.width, of_qrels)
    orders = "rank" if data_set.shape == "ranks" else "score"
    options = {"query": query, "item": item, "relevance": relevance, orders: number}
    ask = partial(evaluated, run, qrels, METRIC_SETS[metrics], options)
    ways: dict[str, Sequence[Rule]] = {"definition": (), "chosen": tuple(RULES.values())}
    for left_out, rule in RULES.items():
        ways[f"without {left_out}"] = [each for each in RULES.values() if each is not rule]
    first = ask(ways["chosen"])
    plans = {name: ask(rules).plans for name, rules in ways.items()}
    # A rule that chose nothing makes no difference.
    ways = {
        name: rules for name, rules in ways.items() if name in ("definition", "chosen") or plans[name] != first.plans
    }
    found: dict[str, list[Way]] = {name: [] for name in ways}
    for _ in range(rounds):
        for way, rules in ways.items():
            found[way].append(ask(rules))
    if any(one.values != first.values for each in found.values() for one in each):
        raise ValueError(f"{name}, {metrics}: the values differ")
    return {
        way: Way(statistics.median(one.seconds for one in each), each[0].plans, first.values)
        for way, each in found.items()
    }


@dataclass(frozen=True)
class Odd:
    """One odd row in a data set.

    Attributes:
        what: what is odd, for the table.
        change: the SELECT that makes the odd data of the relation `rows`.
        side: what is changed: "run" or "qrels".
        divisor: how many times fewer rows the data have.
        memory: the memory limit, or "SQLite" to evaluate in a database of it.
    """

    what: str
    change: str
    side: str = "run"
    divisor: int = 1
    memory: str = "4GB"


def replaced(column: str, value: str, where: str = "item = (SELECT min(item) FROM of_query)") -> str:
    """Return the SELECT that changes a column of one query's rows."""
    of_query = "WITH of_query AS (SELECT * FROM rows WHERE query = $query)"
    return f"{of_query} SELECT * REPLACE (if(query = $query AND {where}, {value}, {column}) AS {column}) FROM rows"


def longer(items: int, *numbers: str) -> str:
    """Return the SELECT that adds items, with these numbers, to the list of one query."""
    added = ", ".join(["$query", "CAST($prefix || (20_000_000 + i) AS $kind)", *numbers])
    return f"SELECT * FROM rows UNION ALL SELECT {added} FROM range({items}) AS added (i)"


FAR, TOP_TWO = str(2**62), "item IN (SELECT item FROM of_query ORDER BY score DESC LIMIT 2)"
LARGE, LOWEST, HIGHEST, NAN = (
    Odd(what, replaced("score", f"'{score}'::DOUBLE"))
    for what, score in (
        ("a score of 1e9", "1e9"),
        ("a score of -inf", "-inf"),
        ("a score of inf", "inf"),
        ("a NaN score (refused)", "nan"),
    )
)
TIE = Odd("a tie at the top", replaced("score", "4 / 3", TOP_TWO))
ITEM = Odd("an item of 2^62", replaced("item", FAR))
QUERY = Odd("a query of 2^62", replaced("query", FAR))
NEARER = Odd("a query of the number of rows - 1", replaced("query", "(SELECT count(*) - 1 FROM rows)"))
LONG = Odd("a list of 100,000", longer(100_000, "-1 - i / 1e6"))
COPY = (
    "SELECT * FROM rows UNION ALL "
    "SELECT * REPLACE (-1 AS score) FROM (SELECT * FROM rows WHERE query = $query{} LIMIT 1)"
)
LABELS = {"1_000_000_000": "a label of 1e9", "300": "a label of 300", "1.5::DOUBLE": "a label of 1.5"}
TIGHT = "60MB"
ODD: dict[tuple[str, str], list[Odd]] = {
    ("labelled", "k10"): [
        *(LARGE, LOWEST, NAN, TIE, ITEM, QUERY, NEARER),
        Odd("a list of 100,000", longer(100_000, "-1 - i / 1e6", "0")),
        Odd("a duplicate below the cutoff", COPY.format(" AND relevance = 0")),
        Odd("30 relevant items in a list", replaced("relevance", "1", "item IN (SELECT item FROM of_query LIMIT 30)")),
        *(Odd(what, replaced("relevance", label)) for label, what in LABELS.items()),
    ],
    ("clustered", "k10"): [
        *(LARGE, LOWEST, NAN, TIE, ITEM, NEARER, LONG),
        Odd("a duplicate below the cutoff", COPY.format("")),
        Odd("10,000 judgements of a query", longer(10_000, "1"), "qrels"),
        Odd("a judged item of 2^62", replaced("item", FAR), "qrels"),
        *(replace(each, what=f"{each.what}, in {TIGHT}", memory=TIGHT) for each in (LOWEST, NEARER)),
        *(replace(each, what=f"{each.what}, small run", divisor=25) for each in (HIGHEST, NAN)),
        *(replace(each, what=f"{each.what}, SQLite", divisor=25, memory="SQLite") for each in (LOWEST, HIGHEST)),
    ],
    ("ranked", "k50"): [
        ITEM,
        Odd("a list of 100,000", longer(100_000, "101 + i")),
        Odd("a list of 3", "SELECT * FROM rows WHERE query <> $query OR rank <= 3"),
        *(Odd(what, replaced("relevance", label), "qrels") for label, what in LABELS.items()),
    ],
    ("text", "k50"): [LARGE, LOWEST, TIE, LONG],
    ("clustered", "whole"): [LONG],
    ("shuffled", "k10"): [replace(each, what=f"{each.what}, in {TIGHT}", memory=TIGHT) for each in (QUERY, NEARER)],
}


def with_odd_row(path: Path, odd: Odd) -> Path:
    """Return the file of the data with the odd row."""
    is_text, out = "text" in path.name, path.with_suffix(".odd")
    query, prefix, kind = ("'user_00000077'", "'item_'", "VARCHAR") if is_text else ("77", "''", "BIGINT")
    change = odd.change.replace("$query", query).replace("$prefix", prefix).replace("$kind", kind)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW rows AS SELECT * FROM read_parquet('{path}')")
        connection.execute(f"COPY ({change}) TO '{out}' (FORMAT parquet)")
    return out.rename(path.with_name(f"odd-{path.name}"))


def in_sqlite(path: Path) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.read_parquet(str(path)).fetchall()


def seconds_of(run: Path, qrels: Path | None, metrics: list[str], memory: str, options: Any) -> float:
    """Return the CPU seconds of an evaluation, up to its error if the data are refused."""
    given: dict[str, Any] = {"run": str(run), "qrels": None if qrels is None else str(qrels)}
    if memory == "SQLite":
        connection: Any = sqlite3.connect(":memory:")
        for table, path, number in (("run", run, "score"), ("qrels", qrels, "relevance")):
            connection.execute(f"CREATE TABLE {table} (query INTEGER, item INTEGER, {number} REAL)")
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", in_sqlite(path) if path else [])
            given[table] = table
    else:
        connection = duckdb.connect(config={"memory_limit": memory, "threads": 2})
    before = time.process_time()
    with suppress(DataError):
        evaluate(metrics=metrics, connection=connection, **given, **options).to_dicts()
    taken = time.process_time() - before
    connection.close()
    return taken


def cost_of(folder: Path, data: str, metrics: str, odd: Odd, rows: int) -> tuple[float, float]:
    """Return the median seconds without the odd row, and the median ratio of those with it to those without it."""
    data_set = DATA_SETS[data]
    names = {"run": data_set.run, "qrels": data_set.qrels}
    usual = {
        side: None if name is None else build(folder, name, rows // odd.divisor, data_set.width)
        for side, name in names.items()
    }
    changed = usual[odd.side]
    assert changed is not None
    strange = {**usual, odd.side: with_odd_row(changed, odd)}

    def ask(files: dict[str, Any]) -> float:
        return seconds_of(files["run"], files["qrels"], METRIC_SETS[metrics], odd.memory, data_set.options)

    ask(usual)  # the first evaluation is not counted
    pairs = [(ask(usual), ask(strange)) for _ in range(ROUNDS)]
    return statistics.median(plain for plain, _ in pairs), statistics.median(other / plain for plain, other in pairs)


def print_odd(folder: Path, rows: int) -> None:
    """Print the table of what one odd row costs."""
    print("| data, metrics | one odd row | seconds without it | ratio with it |\n|---|---|---:|---:|", flush=True)
    for (data, metrics), cases in ODD.items():
        for odd in cases:
            seconds, ratio = cost_of(folder, data, metrics, odd, rows)
            print(f"| {data}, {metrics} | {odd.what} | {seconds:.2f} | {ratio:.2f} |", flush=True)


def main() -> None:
    """Print the seconds of the chosen plans, how many times as long the other ways take, and what odd rows cost."""
    folder, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
    folder.mkdir(parents=True, exist_ok=True)
    for name, data_set in SETS.items() if sys.argv[3:] != ["odd"] else ():
        for metrics in data_set.sets:
            ways = measured(folder, name, metrics, rows, ROUNDS)
            chosen = ways.pop("chosen")
            ratios = ", ".join(f"{way} {each.seconds / chosen.seconds:.2f}" for way, each in ways.items())
            print(
                f"{name}, {metrics}: {'+'.join(chosen.plans) or 'no plan'} {chosen.seconds:.2f} s; {ratios}", flush=True
            )
    print_odd(folder, rows)


if __name__ == "__main__":
    main()
