"""The benchmark runs on few rows: all subjects agree, and its report can be read."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import plans
from benchmarks.data import METRIC_SETS
from benchmarks.harness import Case, Measured, compare
from benchmarks.macros import measured
from benchmarks.report import MARK
from benchmarks.run import main
from benchmarks.targets import MANY, targets
from benchmarks.warm import warm

SUBJECTS = ["ours", "scan", "scan + join", "DuckDB by hand", *(["polars"] if find_spec("polars") else [])]


def case(
    data: str, metrics: str, seconds: dict[str, list[float]], *, trouble: str | None = None, rows: int = MANY
) -> Case:
    subjects = []
    for name, taken in seconds.items():
        rounds = [{"wall": wall, "cpu": 2 * wall, "peak": 100 * wall, "imported": 50.0} for wall in taken]
        subjects.append(Measured(name, rounds, trouble=trouble if name == "ours" else None))
    return Case(data, rows, metrics, subjects)


def test_all_subjects_agree_and_the_report_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Results\n\n{MARK}\nold\n", "utf-8")
    data = ["ties", "ranked", "labelled"]
    options = ["--rows", "2000", "--repeats", "1", "--metrics", "k10", "--folder", str(tmp_path / "data")]
    files = ["--json", str(tmp_path / "all.json"), "--markdown", str(page)]
    assert main([*options, *files, "--only", *data, "--subjects", *SUBJECTS]) == 0
    measured = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert [found["data"] for found in measured["cases"]] == ["ranked", "labelled", "ties"]
    for found in measured["cases"]:
        assert [one["name"] for one in found["subjects"] if one["trouble"]] == []
        values = {one["name"]: one["values"] for one in found["subjects"]}
        assert 0 < values["ours"]["recall@10"] < 1
        assert {"scan", *SUBJECTS} - set(values) == ({"scan + join"} if found["data"] == "labelled" else set())
    assert {target["is_met"] for target in measured["targets"]} == {None}
    printed, text = capsys.readouterr().out, page.read_text("utf-8")
    assert "ties, 2,000 rows, k10" in printed
    assert "not run" in printed
    assert text.startswith(f"# Results\n\n{MARK}\n")
    assert "| scan + join | " in text
    assert "old" not in text


def test_the_own_cost_of_the_package_is_measured(tmp_path: Path) -> None:
    options = ["--only", "own", "--repeats", "1", "--folder", str(tmp_path / "data")]
    assert main([*options, "--json", str(tmp_path / "all.json")]) == 0
    own = json.loads((tmp_path / "all.json").read_text("utf-8"))["own"]
    assert 0 < own["of which outside DuckDB, wall s"] < own["evaluating 10,000 rows, wall s"]


def test_small_evaluations_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--small", "--rows", "1000", "--repeats", "1", "--folder", str(tmp_path / "data")]
    assert main([*options, "--json", str(tmp_path / "all.json")]) == 0
    measured = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert [(case["data"], case["rows"]) for case in measured["small"]["calls"]] == [
        ("pandas", 1000), ("polars", 1000), ("parquet", 1000),
    ]  # fmt: skip
    for case in measured["small"]["calls"]:
        ours, *others = (one["values"] for one in case["subjects"] if one["rounds"])
        assert [0 < ours[name] < 1 for name in METRIC_SETS["few"]] == [True] * 4
        for other in others:
            assert other == {name: pytest.approx(ours[name], abs=1e-9) for name in other}
    targets = {target["what"]: target["is_met"] for target in measured["targets"]}
    assert targets["100,000 rows from pandas: ours / pytrec_eval, wall"] is None
    assert targets["first call of a process: ours / a statement of DuckDB, CPU"] is not None
    printed = capsys.readouterr().out
    assert "ours / ir_measures" in printed
    assert "Several models, 10,000 rows each" in printed


def test_a_ratio_is_the_median_over_rounds() -> None:
    measured = case("clustered", "k10", {"ours": [1, 2, 8], "polars": [3, 4, 8]})
    assert measured.ratio("polars", "ours", "wall") == 2
    assert measured.ratio("scan", "ours", "wall") is None


def test_a_target_compares_with_the_faster_engine_and_is_open_if_not_run() -> None:
    seconds = {"ours": [2.0], "polars": [5.0], "polars in memory": [2.8], "scan + join": [1.5]}
    found = {target.what: target for target in targets([case("clustered", "k10", seconds)], {})}
    against = found["20 M clustered, k10: Polars / ours, wall"]
    assert (against.measured, against.is_met) == ("1.4 ×", False)
    assert found["20 M clustered, k10: ours / scan + join, CPU"].is_met is True
    assert found["20 M, the worst case: peak memory, ours / Polars"].is_met is True
    assert found["20 M shuffled, k10: Polars / ours, wall"].is_met is None
    failed = targets([case("clustered", "k10", seconds, trouble="killed by signal 9")], {})
    assert [target.measured for target in failed if target.is_met is False] == ["failed", "failed", "failed"]


def test_a_differing_value_is_reported_with_ours() -> None:
    measured = case("ties", "k10", {"ours": [1], "polars": [1], "scan": [1]})
    measured.subjects[0].values, measured.subjects[1].values = {"rr@10": 0.5}, {"rr@10": 0.5 + 1e-8}
    compare(measured)
    assert measured.disagreements == ["rr@10 is 0.50000001 in polars, 0.5 in ours"]
    assert measured.of("polars") is None
    assert measured.of("ours") is not None


def test_macros_are_measured() -> None:
    found = {metric: macro > 0 and statement > 0 for metric, macro, statement in measured(1_000, 100, 1)}
    assert found == {"recall@5": True, "recall@10": True, "recall@50": True, "recall": True}


def test_the_gain_of_each_plan_is_measured(tmp_path: Path) -> None:
    found = plans.measured(tmp_path, "skewed", "k10", rows=400_000, rounds=1)
    assert set(found) == {"definition", "chosen", "without ideal_lists", "without packed_lists"}
    assert found["definition"].plans == []
    assert found["chosen"].plans == ["IdealLists", "PackedLists"]
    assert found["chosen"].values == found["definition"].values


@pytest.mark.parametrize("data", ["clustered", "scaled", "labelled"])
def test_warm_evaluations_are_measured(data: str, tmp_path: Path) -> None:
    names = [name for name in SUBJECTS if not name.startswith("scan")]
    case = warm(tmp_path, data, "k10", rows=10_000, rounds=2, names=names)
    assert [(each.name, len(each.rounds), each.trouble) for each in case.subjects] == [
        (name, 2, None) for name in names
    ]
    assert case.disagreements == []
