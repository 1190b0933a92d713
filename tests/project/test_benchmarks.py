"""The benchmark runs on few rows: all subjects agree, and its table can be read."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.run import Measured, main

SUBJECTS = ["ours", *(name for name in ("polars", "pytrec_eval") if find_spec(name))]


@pytest.mark.slow
def test_all_subjects_agree_and_the_tables_and_our_own_cost_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["ties", "labelled", "own"]
    options = ["--rows", "2000", "--repeats", "1", "--metrics", "k10", "--folder", str(tmp_path / "data")]
    assert main([*options, "--json", str(tmp_path / "all.json"), "--only", *data, "--subjects", *SUBJECTS]) == 0
    found = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert [case["data"] for case in found["cases"]] == ["labelled", "ties"]
    for case in found["cases"]:
        assert [each["name"] for each in case["subjects"] if each["trouble"]] == []
        values = {each["name"]: each["values"] for each in case["subjects"]}
        assert 0 < values["ours"]["recall@10"] < 1
        assert {"ours", "polars"} <= values.keys() <= {*SUBJECTS}
    assert min(found["own"].values()) > 0
    assert found["own"]["the statement of recall@10 in DuckDB / a plain question"] < 1
    printed = capsys.readouterr().out
    assert "ties, 2,000 rows, k10" in printed
    assert "| ours | " in printed


def measured(name: str, seconds: list[float], value: float) -> Measured:
    rounds = [{"wall": wall, "cpu": 2 * wall, "peak": 100 * wall} for wall in seconds]
    return Measured(name, rounds, {"rr@10": value})


def test_a_row_has_medians_the_median_ratio_of_rounds_and_the_largest_peak_or_a_difference() -> None:
    ours, polars = measured("ours", [1, 2, 8], 0.5), measured("polars", [3, 4, 8], 0.5)
    assert ours.differences(polars) == []
    assert polars.row(ours) == ["polars", "4.000", "8.000", "2.00", "800", ""]
    polars = measured("polars", [1], 0.5 + 1e-8)
    assert polars.differences(ours) == ["rr@10 is 0.50000001 in polars, 0.5 in ours"]
    assert polars.row(ours) == ["polars", "-", "-", "-", "-", "disagrees"]
