"""Compares answers with the reference in plain Python, and counts what was compared."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from reference import OF_LISTS, Mean, Reference, Row, read, reference

from random_data.case import Case
from random_data.drawing import cases
from random_data.paths import Answer, Answerer, Means, applies
from random_data.plans import EVALUATED
from random_data.relations import ranked
from recall_duckdb.errors import DataError

TOLERANCE = 1e-12  # absolute up to 1, relative above
MOST_SHOWN = 3
_REFUSALS = ("Every row of a model is left out", "A run has no rows", "The run holds none of the queries of the qrels")


@dataclass
class Tally:
    """What was compared, and the differences that were found."""

    cases: int = 0
    data_sets: int = 0
    answers: int = 0
    refusals: int = 0
    values: int = 0
    means: int = 0
    worst: float = 0.0
    worst_at: str = ""
    wrong: int = 0
    crashes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)

    def differ(self, where: str, found: object, expected: object) -> None:
        """Record a difference; a path of a case shows its first ones, and counts the others."""
        self.wrong += 1
        path = ", ".join(where.split(", ")[:2])
        self.shown[path] += 1
        if self.shown[path] <= MOST_SHOWN:
            self.differences.append(f"{where}: {found!r} instead of {expected!r}")

    def compare(self, found: float | None, expected: float | None, where: str) -> None:
        """Record the difference between the value that was found and the expected value."""
        if found is None or expected is None or not math.isfinite(found) or not math.isfinite(expected):
            if found is not expected and found != expected:
                self.differ(where, found, expected)
            return
        difference = abs(found - expected) / max(1.0, abs(expected))
        if difference > self.worst:
            self.worst, self.worst_at = difference, where
        if difference > TOLERANCE:
            self.differ(where, found, expected)

    def compare_mean(self, found: Mean | None, expected: Mean, where: str) -> None:
        """Record the difference between two means, and between their numbers of queries."""
        self.means += 1
        if found is None or found.queries != expected.queries:
            self.differ(where, found, expected)
        else:
            self.compare(found.value, expected.value, where)

    @contextmanager
    def differing(self, where: str) -> Iterator[None]:
        """Record any exception of the package as a difference, so that the other cases are compared."""
        try:
            yield
        except Exception as error:
            self.crashes += 1
            self.differences.append(f"{where}: {type(error).__name__}: {error}")

    def add(self, other: Tally) -> None:
        """Add what another process compared."""
        for each in fields(self):
            if each.name not in ("worst", "worst_at"):
                setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        self.worst, self.worst_at = max((self.worst, self.worst_at), (other.worst, other.worst_at))


def compared(drawn: Iterable[Case], paths: Sequence[str] = (), *, tell: bool = False) -> Tally:
    """Compare cases on their own paths, or on these, and return the tally."""
    tally, started, reported, shown = Tally(), time.monotonic(), 0, 0
    with TemporaryDirectory() as folder, duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        for case in drawn:
            compare(case, Answerer(case, connection, Path(folder)), tally, paths or case.paths)
            if tell and (tally.cases - reported >= 100 or len(tally.differences) > shown):
                new, reported, shown = tally.differences[shown:], tally.cases, len(tally.differences)
                print(f"{reported:,} questions, {time.monotonic() - started:.0f} s", *new, sep="\n   ", flush=True)
    return tally


def compared_in_processes(seed: int, questions: int, first: int, processes: int, paths: Sequence[str]) -> Tally:
    """Compare the cases of a seed from the first one on in several processes, tell the progress, return the tally."""
    tally = Tally()
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for each in pool.map(partial(_part, seed, questions, first, processes, paths), range(processes)):
            tally.add(each)
    return tally


def _part(seed: int, questions: int, first: int, step: int, paths: Sequence[str], process: int) -> Tally:
    count = len(range(process, questions, step))
    return compared(cases(seed, count, first=first + process, step=step), paths, tell=True)


def compare(case: Case, answerer: Answerer, tally: Tally, paths: Sequence[str]) -> None:
    """Compare the answers of all paths with the reference, and those of shuffled rows with each other."""
    tally.cases += 1
    tally.data_sets += len(case.data_sets)
    tally.kinds.update([*case.kinds, *(f"metric: {read(name).metric}" for name in case.metrics)])
    refused = is_refused(case)
    tally.kinds.update(["refused"] if refused else [])
    expectations: dict[tuple[str, ...], list[Reference]] = {}
    for path in paths:
        where = f"case {case.number}, {path}"
        with tally.differing(where):
            if refused and path in EVALUATED:
                _compare_refusal(answerer, path, tally, where)
            for answer in answerer.answers(path) if applies(path, case) and not refused else ():
                tally.answers += 1
                tally.kinds.update([f"path: {path}"])
                asked = tuple(answer.metrics)
                if asked not in expectations:
                    places = range(len(case.data_sets))
                    expectations[asked] = [by_the_reference(case, place, answer.metrics) for place in places]
                _compare_answer(case, answer, expectations[asked], tally)
                if path == "shuffled":
                    again = answerer.evaluated(answer.path.removeprefix("shuffled from "), case.metrics)
                    _compare_bits(answer, again, tally, f"case {case.number}, {answer.path}")
    tally.kinds.update(f"plan: {plan}" for plan in answerer.plans)


def is_refused(case: Case) -> bool:
    """Return True if `evaluate` must refuse a case: a model retrieves nothing for any judged query."""
    both = Counter[str]()
    for place in range(len(case.data_sets)):
        both[model_name(case, place)] += by_the_reference(case, place, case.metrics).tally.both
    return case.policies.get("empty") != "allow" and 0 in both.values()


def _compare_refusal(answerer: Answerer, path: str, tally: Tally, where: str) -> None:
    """Record an answer to a case that must be refused."""
    try:
        answer = answerer.evaluated(path, answerer.case.metrics)
    except DataError as error:
        tally.refusals += 1
        if not any(told in str(error) for told in _REFUSALS):
            raise
    else:
        tally.differ(where, answer.means, "a refusal")


def _compare_bits(shuffled: Answer, usual: Answer, tally: Tally, where: str) -> None:
    """Record values that depend on the order of the rows or on the number of threads."""
    for name in ("per_query", "means", "counts"):
        found, expected = (getattr(answer, name) for answer in (shuffled, usual))
        for key in found.keys() | expected.keys():
            if found.get(key) != expected.get(key):
                tally.differ(f"{where}, {key}, without shuffling", found.get(key), expected.get(key))


def _compare_answer(case: Case, answer: Answer, expected: list[Reference], tally: Tally) -> None:
    """Compare the values of queries, the means and the counts of one answer with the reference."""
    where = f"case {case.number}, {answer.path}"
    in_queries = [name for name in answer.metrics if read(name).metric not in OF_LISTS]
    for place, one in enumerate(expected):
        model, judged = model_name(case, place), case.data_sets[place].judged
        if answer.per_query is None:
            continue
        held = {query: values for (name, query), values in answer.per_query.items() if name == model}
        mine = {query: values for query, values in held.items() if query in judged}
        if mine.keys() != one.per_query.keys():
            tally.differ(f"{where}, data set {place}, queries", mine.keys(), one.per_query.keys())
            continue
        for query, values in one.per_query.items():
            for name in in_queries:
                tally.values += 1
                tally.compare(mine[query][name], values[name], f"{where}, data set {place}, {query}, {name}")
    if answer.means is not None:
        _compare_means(case, answer.means, in_queries, expected, tally, where)
    for model, counts in answer.counts.items():
        tallies = [one.tally for place, one in enumerate(expected) if model_name(case, place) == model]
        wanted = tuple(map(sum, zip(*tallies, strict=True)))
        if counts != wanted:
            tally.differ(f"{where}, counts of {model}", counts, wanted)


def _compare_means(
    case: Case, means: Means, in_queries: list[str], expected: list[Reference], tally: Tally, where: str
) -> None:
    """Compare the means of each data set and, with slices, those of all together."""
    for place, one in enumerate(expected):
        for name, mean in one.means.items():
            if case.by is None or (one.per_query and name in in_queries):
                key = (model_name(case, place), None if case.by is None else place, name)
                tally.compare_mean(means.get(key), mean, f"{where}, data set {place}, mean {name}")
    for name in in_queries if case.by is not None else ():
        held = [item for one in expected for item in one.per_query.items()]
        mean = read(name).mean((values[name], case.optional.weight(query)) for query, values in held)
        tally.compare_mean(means.get(("run", None, name)), mean, f"{where}, {name}")


def by_the_reference(case: Case, place: int, metrics: Sequence[str]) -> Reference:
    """Return the result of the reference for one data set of a case."""
    one = case.data_sets[place]
    run: list[Row] = one.run
    if case.shape in ("ranks", "lists"):
        run = [(query, item, -float(rank or 0)) for query, item, rank in ranked(case, run)]
    policies = {name: value for name, value in case.policies.items() if name not in ("padding", "order")}
    return reference(run, one.qrels, metrics, **policies, optional=case.optional)


def model_name(case: Case, place: int) -> str:
    """Return the name that a data set's model has in the result."""
    return case.names.models[place] if case.are_models else "run"
