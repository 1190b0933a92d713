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
from random_data.paths import EVALUATED, Answer, Answerer, applies
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

    def differ(self, where: str, what: str) -> None:
        """Record a difference; a path of a case shows its first ones, and counts the others."""
        self.wrong += 1
        path = ", ".join(where.split(", ")[:2])
        self.shown[path] += 1
        if self.shown[path] <= MOST_SHOWN:
            self.differences.append(f"{where}: {what}")

    def compare(self, found: float | None, expected: float | None, where: str) -> None:
        """Record the difference between the value that was found and the expected value."""
        if found is None or expected is None or not math.isfinite(found) or not math.isfinite(expected):
            if found is not expected and found != expected:
                self.differ(where, f"{found!r} instead of {expected!r}")
            return
        difference = abs(found - expected) / max(1.0, abs(expected))
        if difference > self.worst:
            self.worst, self.worst_at = difference, where
        if difference > TOLERANCE:
            self.differ(where, f"{found!r} instead of {expected!r}")

    def compare_mean(self, found: Mean | None, expected: Mean, where: str) -> None:
        """Record the difference between two means, and between their numbers of queries."""
        self.means += 1
        if found is None or found.queries != expected.queries:
            self.differ(where, f"{found} instead of {expected}")
            return
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
                reported = tally.cases
                print(f"{reported:,} questions, {time.monotonic() - started:.0f} s", flush=True)
                for difference in tally.differences[shown:]:
                    print("  ", difference, flush=True)
                shown = len(tally.differences)
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
    tally.kinds.update(case.kinds)
    tally.kinds.update(f"metric: {read(name).metric}" for name in case.metrics)
    expectations: dict[tuple[str, ...], list[Reference]] = {}
    if is_refused(case):
        tally.kinds.update(["refused"])
        for path in (path for path in paths if path in EVALUATED):
            with tally.differing(f"case {case.number}, {path}"):
                _compare_refusal(case, answerer, path, tally)
        return
    for path in (path for path in paths if applies(path, case)):
        with tally.differing(f"case {case.number}, {path}"):
            for answer in answerer.answers(path):
                tally.answers += 1
                tally.kinds.update([f"path: {path}"])
                asked = tuple(answer.metrics)
                if asked not in expectations:
                    places = range(len(case.data_sets))
                    expectations[asked] = [by_the_reference(case, place, answer.metrics) for place in places]
                _Comparison(case, answer, expectations[asked], tally).compare()
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


def _compare_refusal(case: Case, answerer: Answerer, path: str, tally: Tally) -> None:
    """Record an answer to a case that must be refused."""
    try:
        answer = answerer.evaluated(path, case.metrics)
    except DataError as error:
        tally.refusals += 1
        if not any(told in str(error) for told in _REFUSALS):
            raise
    else:
        tally.differ(f"case {case.number}, {path}", f"{answer.means} instead of a refusal")


def _compare_bits(shuffled: Answer, usual: Answer, tally: Tally, where: str) -> None:
    """Record values that depend on the order of the rows or on the number of threads."""
    for name in ("per_query", "means", "counts"):
        found, expected = (getattr(answer, name) for answer in (shuffled, usual))
        for key in found.keys() | expected.keys():
            one, other = found.get(key), expected.get(key)
            if one != other:
                tally.differ(f"{where}, {key}", f"{one!r} instead of {other!r} before")


@dataclass
class _Comparison:
    """Compares one answer with the reference."""

    case: Case
    answer: Answer
    expected: list[Reference]
    tally: Tally

    @property
    def where(self) -> str:
        return f"case {self.case.number}, {self.answer.path}"

    @property
    def in_queries(self) -> list[str]:
        """The metrics that have a value for each query."""
        return [name for name in self.answer.metrics if read(name).metric not in OF_LISTS]

    def compare(self) -> None:
        for place, one in enumerate(self.expected):
            if self.answer.per_query is not None:
                self.compare_queries(place, one)
            if self.answer.means is not None:
                self.compare_means(place, one)
        if self.answer.means is not None and self.case.by is not None:
            self.compare_means_of_all()
        for model, counts in self.answer.counts.items():
            tallies = [one.tally for place, one in enumerate(self.expected) if model_name(self.case, place) == model]
            wanted = tuple(map(sum, zip(*tallies, strict=True)))
            if counts != wanted:
                self.tally.differ(f"{self.where}, counts of {model}", f"{counts} instead of {wanted}")

    def compare_queries(self, place: int, one: Reference) -> None:
        model, judged = model_name(self.case, place), self.case.data_sets[place].judged
        held = self.answer.per_query or {}
        mine = {query: values for (name, query), values in held.items() if name == model and query in judged}
        if mine.keys() != one.per_query.keys():
            self.tally.differ(f"{self.where}, data set {place}", f"queries {mine.keys() ^ one.per_query.keys()}")
            return
        for query, values in one.per_query.items():
            for name in self.in_queries:
                self.tally.values += 1
                where = f"{self.where}, data set {place}, {query}, {name}"
                self.tally.compare(mine[query][name], values[name], where)

    def compare_means(self, place: int, one: Reference) -> None:
        case, held = self.case, self.answer.means or {}
        for name, mean in one.means.items():
            key = (model_name(case, place), None if case.by is None else place, name)
            if case.by is not None and (not one.per_query or read(name).metric in OF_LISTS):
                continue
            self.tally.compare_mean(held.get(key), mean, f"{self.where}, data set {place}, mean {name}")

    def compare_means_of_all(self) -> None:
        """Compare the means of all slices together."""
        held = self.answer.means or {}
        for name in self.in_queries:
            weighed = [
                (values[name], self.case.optional.weight(query))
                for one in self.expected
                for query, values in one.per_query.items()
            ]
            self.tally.compare_mean(held.get(("run", None, name)), read(name).mean(weighed), f"{self.where}, {name}")


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
