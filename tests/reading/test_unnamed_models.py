"""A run that may hold several models is refused if no argument names their column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from asking import Output, fails

from recall_duckdb import DataError, agreement, check, evaluate, pool
from recall_duckdb.cli import main
from recall_duckdb.macros.installing import install

RUN: dict[str, list[Any]] = {
    "system": ["bm25", "bm25", "dense", "dense"],
    "query": [1, 1, 1, 1],
    "item": ["a", "b", "c", "d"],
    "score": [0.9, 0.8, 0.7, 0.6],
}
QRELS = {"query": [1, 1], "item": ["b", "c"], "relevance": [1, 1]}
REFUSED = (
    r"no argument names column 'system', but its name is usual for models, and it holds several values, for example "
    r"'bm25'. If they are models, pass the column as model"
)


@pytest.mark.parametrize("ask", [evaluate, check, pool])
def test_a_forgotten_column_of_models_is_refused(ask: Callable[..., Any]) -> None:
    fails(DataError, REFUSED, ask, RUN, QRELS, "recall@2")


def test_agreement_refuses_a_forgotten_column_of_models() -> None:
    run = {"query": [1, 1], "item": ["a", "b"], "old": [1, 2], "new": [2, 1], "system": ["x", "bm25"]}
    fails(DataError, REFUSED, agreement, run, baseline="old", score=["old", "new"])


USUAL = (
    *(
        "Model",
        "run_id",
        "ALGORITHM",
        "tag",
        "method",
        "variant",
        "experiment",
        "run_tag",
        "retriever_name",
        "approach",
    ),
    *("Strategy", "pipeline", "embedding_model", "filename"),
)


@pytest.mark.parametrize("name", USUAL)
def test_usual_names_of_models_are_known_in_any_spelling(name: str) -> None:
    run = pd.DataFrame(RUN).rename(columns={"system": name})
    fails(DataError, f"no argument names column '{name}'", evaluate, run, QRELS, "recall@2")


def test_the_names_of_the_files_of_a_run_may_be_those_of_models(tmp_path: Path) -> None:
    for name, items in (("bm25", ["a", "b"]), ("dense", ["c", "d"])):
        rows = {"query": [1, 1], "item": items, "score": [0.9, 0.8]}
        pd.DataFrame(rows).to_parquet(tmp_path / f"{name}.parquet")
    files = str(tmp_path / "*.parquet")
    run = duckdb.read_parquet(files, filename=True)
    fails(DataError, "no argument names column 'filename'", evaluate, run, QRELS, "recall@2")
    assert [row["value"] for row in evaluate(run, QRELS, "recall@2", model="filename").to_dicts()] == [0.5, 0.5]
    assert evaluate(files, QRELS, "recall@2").value("recall@2") == 0.5


def test_duplicates_may_be_lists_of_several_models() -> None:
    run = {**RUN, "item": ["a", "b", "a", "b"]}
    del run["system"]
    with pytest.raises(
        DataError, match=r"more than once .* If the lists are of several models, pass their column as model="
    ):
        evaluate(run, QRELS, "recall@4")


def test_a_column_of_models_is_evaluated_if_it_is_named_by_model() -> None:
    result = evaluate(RUN, QRELS, "recall@2", model="system")
    assert [row["value"] for row in result.to_dicts()] == [0.5, 0.5]


def test_slices_and_single_values_are_no_forgotten_models() -> None:
    assert evaluate({**RUN, "system": ["bm25"] * 4}, QRELS, "recall@2").value("recall@2") == 0.5
    sliced = {**RUN, "query": [1, 1, 2, 2]}
    judged = {"query": [1, 2], "item": ["b", "c"], "relevance": [1, 1]}
    assert evaluate(sliced, judged, "recall@2", by="system").value("recall@2") == 1


def test_a_second_question_of_the_same_form_is_checked_too() -> None:
    assert evaluate({**RUN, "system": ["bm25"] * 4}, QRELS, "recall@2").value("recall@2") == 0.5
    fails(DataError, REFUSED, evaluate, RUN, QRELS, "recall@2")


def test_each_of_several_runs_is_checked() -> None:
    with pytest.raises(DataError, match="run 'second'"):
        evaluate({"first": {**RUN, "system": ["x"] * 4}, "second": RUN}, QRELS, "recall@2")


def test_the_command_line_refuses_a_forgotten_column_of_models(tmp_path: Path, capsys: Output) -> None:
    pd.DataFrame(RUN).to_csv(tmp_path / "run.csv", index=False)
    pd.DataFrame(QRELS).to_csv(tmp_path / "qrels.csv", index=False)
    assert main(["evaluate", str(tmp_path / "run.csv"), "--qrels", str(tmp_path / "qrels.csv")]) == 2
    assert "If they are models, pass the column as --model" in capsys.readouterr().err


@pytest.mark.slow
def test_macros_refuse_a_forgotten_column_of_models() -> None:
    connection = duckdb.connect()
    install(connection)
    for name, columns in {"run": pd.DataFrame(RUN), "qrels": pd.DataFrame(QRELS)}.items():
        connection.from_df(columns).create(name)
    for macro in ("recall_at_k('run', 'qrels', k := 2)", "ranking_check('run', 'qrels')"):
        with pytest.raises(duckdb.InvalidInputException, match=REFUSED):
            connection.execute(f"FROM recall_duckdb.{macro}").fetchall()
    one = connection.execute("CREATE VIEW one AS SELECT * EXCLUDE (system) FROM run")
    assert one.execute("SELECT value FROM recall_duckdb.recall_at_k('one', 'qrels', k := 2)").fetchall() == [(0.5,)]
