"""The performance goals of the package, compared with one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.harness import Case, Measured

EXACT_POLARS = ("polars", "polars in memory")
FEW, MANY, MOST = 1_000_000, 20_000_000, 100_000_000
AGAINST_POLARS = {
    # (rows, data, metric set): minimum wall time of the faster Polars engine over ours
    (MANY, "clustered", "k10"): 1.5,
    (MANY, "clustered", "k50"): 1.3,
    (MANY, "shuffled", "k10"): 1.2,
    (MANY, "shuffled", "k50"): 1.1,
    (MANY, "ranked", "k50"): 1.15,
    (MANY, "labelled", "k10"): 1.3,
    (MANY, "labelled", "k50"): 1.2,
    (MANY, "text", "k50"): 1.2,
    (MANY, "ties", "k50"): 1.2,
    (FEW, "clustered", "k50"): 1.2,
}
AGAINST_BARE = {
    # (data, metric set): our maximum CPU time over that of a bare statement
    ("clustered", "k10"): (1.5, "scan + join"),
    ("clustered", "k50"): (2.2, "scan + join"),
    ("shuffled", "k10"): (2.8, "scan + join"),
    ("shuffled", "k50"): (4.2, "scan + join"),
    ("ranked", "k50"): (1.2, "scan + join"),
    ("labelled", "k10"): (3, "scan"),
}
# Our maximum wall time over that of DuckDB by hand, which checks nothing.
AGAINST_HAND = {("clustered", "k10"): 2, ("clustered", "k50"): 2, ("ranked", "k50"): 2, ("labelled", "k10"): 2}
OWN = {
    "importing beyond duckdb, CPU s": 0.15,
    "composing 30 metrics, CPU s": 0.015,
    "of which outside DuckDB, wall s": 0.05,
    "comparing 100 models by 7 metrics of 1,000 queries, CPU s": 1,
    "evaluating one of 300 score columns, CPU s": 0.005,
    "evaluating one of 300 files, CPU s": 0.005,
}
OWN_RATIOS = {
    "evaluating 1,000 rows and reading them as frames / evaluating them, CPU": 1.3,
    "the same on a connection, CPU": 1.3,
    "comparing two models of 1,000 rows / evaluating them, CPU": 3,
    "a table macro over 1,000 rows / its statement as a macro without arguments, CPU": 2,
    "the command --version / importing duckdb, CPU": 1.1,
    "the command --help / importing duckdb, CPU": 1.1,
    "the command evaluate / importing duckdb, CPU": 3.2,
}
AGAINST_LIBRARIES_SMALL = {
    # our maximum wall time over that of a library, from pandas, by number of rows
    "pytrec_eval": {1_000: 6, 10_000: 1, 100_000: 0.3},
    "ir_measures": {1_000: 3, 10_000: 0.5, 100_000: 0.15},
}
AGAINST_LIBRARIES = {"RecTools": 2, "pytrec_eval": 5, "ranx": 20, "ir_measures": 20}


@dataclass(frozen=True)
class Target:
    """A goal, with the wanted and the measured value. `is_met` is None if it was not run."""

    what: str
    wanted: str
    measured: str
    is_met: bool | None


class Results:
    """The cases of a run, by rows, data set and metric set."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = {(case.rows, case.data, case.metrics): case for case in cases}

    def has_failed(self, rows: int, data: str, metrics: str) -> bool:
        """Return True if ours was run but did not finish or was wrong; then no target is met."""
        case = self.cases.get((rows, data, metrics))
        return case is not None and any(one.name == "ours" and one.trouble for one in case.subjects)

    def ratios(self, rows: int, data: str, metrics: str, pairs: Sequence[tuple[str, str]], what: str) -> list[float]:
        """Return one subject's seconds over another's, for each pair that finished."""
        case = self.cases.get((rows, data, metrics))
        ratios = [case.ratio(one, other, what) for one, other in pairs] if case is not None else []
        return [ratio for ratio in ratios if ratio is not None]

    def of(self, rows: int, data: str, metrics: str, name: str = "ours") -> Measured | None:
        """Return the measurements of a subject, even if it did not finish."""
        case = self.cases.get((rows, data, metrics))
        return None if case is None else next((one for one in case.subjects if one.name == name), None)

    def cpu(self, rows: int, data: str, metrics: str) -> float | None:
        """Return our CPU seconds."""
        found = self.of(rows, data, metrics)
        return None if found is None else found.median("cpu")


def targets(cases: Sequence[Case], own: Mapping[str, float], memory_limit: str = "2GB") -> list[Target]:
    """Return all targets; `memory_limit` is the limit of the run."""
    results = Results(cases)
    found = []
    for key, limit in AGAINST_POLARS.items():
        ratios = results.ratios(*key, [(name, "ours") for name in EXACT_POLARS], "wall")
        rows, data, metrics = key
        what = f"{rows // 10**6} M {data}, {metrics}: Polars / ours, wall"
        found.append(at_least(what, limit, min(ratios, default=None), has_failed=results.has_failed(*key)))
    for (data, metrics), (most, bare) in AGAINST_BARE.items():
        key = (MANY, data, metrics)
        ratios = results.ratios(*key, [("ours", bare)], "cpu")
        what = f"20 M {data}, {metrics}: ours / {bare}, CPU"
        found.append(at_most(what, most, max(ratios, default=None), has_failed=results.has_failed(*key)))
    for (data, metrics), most in AGAINST_HAND.items():
        key = (MANY, data, metrics)
        ratios = results.ratios(*key, [("ours", "DuckDB by hand")], "wall")
        what = f"20 M {data}, {metrics}: ours / DuckDB by hand, wall"
        found.append(at_most(what, most, max(ratios, default=None), has_failed=results.has_failed(*key)))
    for name, limit in AGAINST_LIBRARIES.items():
        key = (FEW, "clustered", "k50")
        ratios = results.ratios(*key, [(name, "ours")], "wall")
        what = f"1 M clustered, k50: {name} / ours, wall"
        found.append(at_least(what, limit, min(ratios, default=None), has_failed=results.has_failed(*key)))
    for data in ("clustered", "shuffled"):
        value = quotient(results.cpu(MOST, data, "k50"), results.cpu(MANY, data, "k50"))
        found.append(at_most(f"{data}, k50: 100 M rows / 20 M rows, CPU", 5.5, value))
    value = quotient(results.cpu(MANY, "clustered", "k50"), results.cpu(MANY, "clustered", "one"))
    found.append(at_most("20 M clustered: k50 / recall@10 alone, CPU", 1.3, value))
    found.append(at_most("20 M, the worst case: peak memory, ours / Polars", 1, worst_peak(cases)))
    for rows, name, within in ((MANY, "ours, 500MB", "500MB"), (MOST, "ours", memory_limit)):
        for data in ("clustered", "shuffled"):
            what = f"{rows // 10**6} M {data}, k50: finishes within {within}"
            found.append(finishes(what, results.of(rows, data, "k50", name)))
    for what, seconds in OWN.items():
        named = what.replace("of which", "evaluating 10,000 rows,")
        found.append(at_most(named, seconds, own.get(what), unit="s"))
    found += [at_most(what, ratio, own.get(what)) for what, ratio in OWN_RATIOS.items()]
    return found


def targets_of_small(small: Mapping[str, Sequence[Case]]) -> list[Target]:
    """Return the targets of small evaluations."""
    calls = {case.rows: case for case in small["calls"] if case.data == "pandas"}
    found = []
    for name, limits in AGAINST_LIBRARIES_SMALL.items():
        for rows, limit in limits.items():
            value = calls[rows].ratio("ours", name, "wall") if rows in calls else None
            found.append(at_most(f"{rows:,} rows from pandas: ours / {name}, wall", limit, value))
    [first] = small["first"]
    value = first.ratio("ours", first.subjects[1].name, "cpu")
    found.append(at_most(f"first call of a process: ours / {first.subjects[1].name}, CPU", 2.5, value))
    for case in small["models"][1:]:
        value = case.ratio("one call", "a call for each", "wall")
        found.append(at_most(f"{case.data} models: one call / a call for each, wall", 1, value))
    return found


def at_least(what: str, limit: float, value: float | None, *, has_failed: bool = False) -> Target:
    """Return a target with a minimum, as a ratio."""
    met = None if value is None else value >= limit
    return _target(what, f"≥ {limit:g} ×", "×", value, met, has_failed=has_failed)


def at_most(what: str, limit: float, value: float | None, *, unit: str = "×", has_failed: bool = False) -> Target:
    """Return a target with a maximum."""
    met = None if value is None else value <= limit
    return _target(what, f"≤ {limit:g} {unit}", unit, value, met, has_failed=has_failed)


def _target(what: str, wanted: str, unit: str, value: float | None, met: bool | None, *, has_failed: bool) -> Target:
    if has_failed:
        return Target(what, wanted, "failed", is_met=False)
    return Target(what, wanted, "not run" if value is None else f"{value:.3g} {unit}", met)


def finishes(what: str, measured: Measured | None) -> Target:
    """Return a target that is met if every round finished with the right values."""
    if measured is None:
        return Target(what, "yes", "not run", is_met=None)
    return Target(what, "yes", measured.trouble or "yes", is_met=measured.trouble is None)


def quotient(one: float | None, other: float | None) -> float | None:
    """Return the quotient, or None unless both were measured."""
    return None if one is None or other is None else one / other


def worst_peak(cases: Sequence[Case]) -> float | None:
    """Return the largest ratio of our peak memory to the smaller Polars engine's, over all cases of 20 M rows."""
    ratios = []
    for case in cases:
        peaks = {one.name: one.most("peak") or 0.0 for one in case.subjects if case.of(one.name) is not None}
        polars = [peaks[name] for name in EXACT_POLARS if name in peaks]
        if case.rows == MANY and "ours" in peaks and polars:
            ratios.append(peaks["ours"] / min(polars))
    return max(ratios, default=None)
