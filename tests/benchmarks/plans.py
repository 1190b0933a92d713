"""Measure what each fast plan saves, and what a wrong choice costs on data made for that.

python -m benchmarks.plans FOLDER [ROWS]     in the folder tests; the data are kept in that folder

Three ways take turns in one process: the definitions, the plans that are chosen, and the chosen plans except one. Their
values must be equal, bit for bit. The columns have drawn names, so that plans also rename columns.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from drawn import some_names

from benchmarks.data import DATA_SETS, METRIC_SETS, DataSet, build
from recall_duckdb import evaluate, evaluation
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


def main() -> None:
    """Print the seconds of the chosen plans, and how many times as long the other ways take."""
    folder, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
    folder.mkdir(parents=True, exist_ok=True)
    for name, data_set in SETS.items():
        for metrics in data_set.sets:
            ways = measured(folder, name, metrics, rows, ROUNDS)
            chosen = ways.pop("chosen")
            ratios = ", ".join(f"{way} {each.seconds / chosen.seconds:.2f}" for way, each in ways.items())
            print(
                f"{name}, {metrics}: {'+'.join(chosen.plans) or 'no plan'} {chosen.seconds:.2f} s; {ratios}", flush=True
            )


if __name__ == "__main__":
    main()
