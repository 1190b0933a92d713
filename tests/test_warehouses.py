"""`evaluate` and `check` over the connections that users have: the same result and faults, where the tables lie."""

from __future__ import annotations

from typing import Any

import pytest
import test_check
import test_dialects
from engines import ENGINES, Engine

from recall_duckdb import DataError, check, evaluate

Columns = dict[str, list[Any]]
ONLY_DUCKDB = {"lists", "lost_models", "qrels_list_items", "run_list_items", "trec_lines", "whole_ids"}  # lists, files
FAULTS = {name: case for name, case in test_check.CASES.items() if name not in ONLY_DUCKDB}
BESIDE = ("exclude", "items", "weights", "training", "catalog", "features", "pairs")


def columns(relation: Any) -> Columns:
    held: Columns = relation.to_dict(as_series=False) if hasattr(relation, "to_dict") else relation
    return held


def as_tables(run: Any, qrels: Any, arguments: dict[str, Any]) -> tuple[dict[str, Columns], dict[str, Any]]:
    """The relations of a question as tables, and the question with their names in their place."""
    held: dict[str, Columns] = {}
    runs = {} if "item" in run else {model: f"run_{place}" for place, model in enumerate(run)}
    for model, name in runs.items():
        held[name] = columns(run[model])
    if not runs:
        held["run"] = columns(run)
    if qrels is not None:
        held["qrels"] = columns(qrels)
    held |= {name: columns(arguments[name]) for name in BESIDE if name in arguments}
    asked = {**arguments, **{name: name for name in BESIDE if name in arguments}}
    return held, {"run": runs or "run", "qrels": None if qrels is None else "qrels", **asked}


def told(faults: Any) -> list[dict[str, Any]]:
    return sorted(faults.to_dicts(), key=lambda fault: str(fault["check"]))


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("name", FAULTS)
def test_a_check_finds_there_what_it_finds_in_duckdb(engine: Engine, name: str, tmp_path: Any) -> None:
    case = FAULTS[name]
    arguments = {"metrics": test_check.METRICS, **case.arguments}
    if name == "metric_rows":
        (tmp_path / "two_rows.sql").write_text(test_check.TWO_ROWS)
        arguments["metric_folder"] = tmp_path
    held, asked = as_tables(case.run, case.qrels, arguments)
    engine.load(held)
    there = {"connection": engine.connect(), "dialect": engine.dialect}
    if case.only_evaluate:
        with pytest.raises(DataError) as here:
            evaluate(case.run, case.qrels, **arguments)
        with pytest.raises(type(here.value)) as caught:
            evaluate(**asked, **there)
        assert str(caught.value) == str(here.value)
        return
    found = told(check(**asked, **there))
    assert found == told(check(case.run, case.qrels, **arguments))
    assert found
