"""Mistakes raise errors, not wrong numbers. A message names the column or argument, the rule, an example and a fix."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import fails

import recall_duckdb
from recall_duckdb import RecallError, errors, evaluate
from recall_duckdb.cli import main
from recall_duckdb.definitions import templates
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, EngineError, UnknownNameError

RUN: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
NAN = float("nan")
QRELS: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}


def refused(kind: type[RecallError], *parts: str, run: Any = None, qrels: Any = None, **arguments: Any) -> str:
    """Return the message of evaluate()'s error, which must be of this kind and contain the parts."""
    with pytest.raises(kind) as caught:
        evaluate(RUN if run is None else run, QRELS if qrels is None else qrels, **arguments)
    for part in parts:
        assert part in str(caught.value)
    return str(caught.value)


def test_errors_are_also_pythons_own_kinds() -> None:
    assert issubclass(ArgumentError, ValueError)
    assert issubclass(UnknownNameError, ValueError)
    assert issubclass(DataError, ValueError)
    assert issubclass(ArgumentTypeError, TypeError)
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    kinds = [kind for kind in kinds if not issubclass(kind, Warning)]
    assert all(issubclass(kind, RecallError) for kind in kinds)


@pytest.mark.parametrize("k", ["0", "-3", "2.5", "ten", "", "1e3", "99999999999999999999", 0, 2.5, "x", NAN, True])
def test_an_invalid_cutoff_raises(k: Any) -> None:
    rule = "k must be a whole number from 1 to 999999999999999999"
    if isinstance(k, str):
        refused(ArgumentError, rule, "not", k, metrics=f"recall@{k}")
    fails(ValueError, rule, recall_duckdb.recall_at_k, [1, 0], [0.2, 0.1], k)


def test_an_unknown_metric_raises() -> None:
    refused(UnknownNameError, "there is no metric 'recal'", "Did you mean 'recall'?", metrics="recal@5")
    refused(ArgumentError, "'r_precision' takes no cutoff", metrics="r_precision@5")
    refused(ArgumentError, "name at least one", metrics=[])
    refused(ArgumentTypeError, "not 10", metrics=[10])
    refused(ArgumentTypeError, "not int", metrics=10)


def test_a_missing_column_raises() -> None:
    refused(
        UnknownNameError,
        "no column 'scor' (score=)",
        "Did you mean score='score'?",
        "'query', 'item', 'score'",
        "If it holds ranks instead, name their column (rank=)",
        score="scor",
    )
    refused(UnknownNameError, "qrels", "no column 'user' (qrels_query=)", qrels_query="user")
    refused(
        UnknownNameError, "by: neither qrels nor run has the column 'country'. Columns", "query_slices=", by="country"
    )
    refused(UnknownNameError, "has the columns 'a', 'b'. Columns", by=["a", "relevance", "b"])
    refused(
        ArgumentError,
        "by: the qrels hold 'country', and only the run holds 'plan'",
        run={**RUN, "plan": ["free"] * 3},
        qrels={**QRELS, "country": ["NL"] * 3},
        by=["plan", "country"],
    )
    fails(UnknownNameError, "no qrels= was given, and run .* has no column 'relevance'", evaluate, RUN)


def test_all_missing_columns_are_named_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = pl.DataFrame({"user_id": ["u"], "movie": ["m"], "rating": [1.0]})
    qrels = pl.DataFrame({"user_id": ["u"], "movie": ["m"], "clicked": [1]})
    message = refused(
        UnknownNameError,
        "run (the DataFrame given) has no columns 'query', 'item', 'score' (query=, item=, score=). "
        "Did you mean query='user_id', item='movie', score='rating'? Its columns: 'user_id', 'movie', 'rating'. ",
        "qrels (the DataFrame given) has no columns 'query', 'item', 'relevance' (qrels_query=, qrels_item=, "
        "relevance=). Did you mean relevance='clicked'?",
        run=run,
        qrels=qrels,
    )
    assert "qrels_query='user_id'" not in message  # query= also names the column of the qrels
    refused(UnknownNameError, "exclude (the DataFrame given) has no columns 'query', 'item'", exclude=run)
    lists = pl.DataFrame({"user": ["u"], "liked": [["m"]]})  # lists need no score
    refused(UnknownNameError, "has no columns 'query', 'item' (query=, item=)", run=lists, qrels=qrels)
    runs = dict.fromkeys("abcdefgh", run)
    message = refused(UnknownNameError, "run 'b' (the DataFrame given) has no columns", run=runs, qrels=qrels)
    assert "run 'c'" not in message
    assert "qrels (the DataFrame given) has no columns" in message
    assert message.endswith("6 more sources lack columns too")
    for name, frame in (("run", run), ("qrels", qrels)):
        frame.write_csv(tmp_path / f"{name}.csv")
    assert main(["evaluate", f"{tmp_path}/run.csv", "--qrels", f"{tmp_path}/qrels.csv"]) == 2
    assert "Did you mean --query user_id, --item movie, --score rating?" in capsys.readouterr().err


def test_a_missing_relation_raises(tmp_path: Path) -> None:
    refused(UnknownNameError, "run: there is no file 'nowhere.parquet'", run="nowhere.parquet")
    refused(UnknownNameError, "pass connection=", "'runs'", run="runs")
    refused(UnknownNameError, "no file", qrels=tmp_path / "*.parquet")
    connection = duckdb.connect()
    refused(UnknownNameError, "no file, table or view 'runs'", run="runs", connection=connection)
    connection.execute("CREATE TABLE gone (query INT); CREATE VIEW view_of_it AS FROM gone; DROP TABLE gone")
    refused(DataError, "run: 'view_of_it' cannot be read", "gone", run="view_of_it", connection=connection)
    connection.execute("SET default_collation = 'nocase'")
    refused(ArgumentError, "default_collation is 'nocase'", connection=connection)


def test_a_malformed_file_raises(tmp_path: Path) -> None:
    whole = tmp_path / "run.parquet"
    pl.DataFrame(RUN).write_parquet(whole)
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(whole.read_bytes()[:-40])
    refused(DataError, "cut.parquet", "cannot be read as parquet", "cut short", "fetch it again", run=cut)
    (tmp_path / "empty.parquet").touch()
    refused(DataError, "cannot be read as parquet", run=tmp_path / "empty.parquet")
    (tmp_path / "run.txt").write_text("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 tag\n")
    refused(
        DataError, "form of a TREC run file (query Q0 item rank score tag)", "'q1 Q0 b 2 tag'", run=tmp_path / "run.txt"
    )
    (tmp_path / "swapped.txt").write_text("q1 Q0 a 1 0.5 tag\n")  # its ranks must not be read as relevance
    refused(
        DataError,
        "TREC qrels file",
        "It has the form of a TREC run file: pass it as the run",
        qrels=tmp_path / "swapped.txt",
    )
    (tmp_path / "qrels.txt").write_text("q1 0 a 2 1 1\n")  # relevance, effectiveness, credibility
    refused(DataError, "qrels.txt', line 1", "form of a TREC qrels file", qrels=tmp_path / "qrels.txt")
    for number, text in enumerate(["", "query,item,score\n"]):
        (tmp_path / f"{number}.csv").write_text(text)
        refused(DataError, f"run: '{tmp_path}/{number}.csv' holds no rows", run=str(tmp_path / f"{number}.csv"))
    refused(ArgumentError, "different formats", run=[str(whole), str(tmp_path / "run.txt")])


def test_parquet_files_with_differing_columns_raise(tmp_path: Path) -> None:
    pl.DataFrame({"query": [1], "item": [7], "score": [0.5]}).write_parquet(tmp_path / "run_1.parquet")
    pl.DataFrame({"query": [1], "item": ["007"], "score": [0.4]}).write_parquet(tmp_path / "run_2.parquet")
    qrels = {"query": [1], "item": [7], "relevance": [1]}
    for run in (tmp_path, [tmp_path / "run_1.parquet", tmp_path / "run_2.parquet"]):
        refused(
            DataError,
            "column 'item' (item=): it is BIGINT in",
            "run_1.parquet', VARCHAR in",
            run=run,
            qrels={**qrels, "item": ["7"]},
        )
    pl.DataFrame({"query": [1], "item": [8]}).write_parquet(tmp_path / "run_2.parquet")
    refused(DataError, "run_2.parquet' has no column 'score'", run=tmp_path, qrels=qrels, nulls="drop")


def test_text_that_duckdb_does_not_accept_raises() -> None:
    refused(UnknownNameError, "there is no file", run="a" * 5000)
    refused(UnknownNameError, "there is no file", run="a" * 5000 + ".csv")
    refused(ArgumentError, "cannot be a path", run="run_\ud800.csv")
    refused(ArgumentError, "cannot be a path", run="")
    refused(ArgumentError, "cannot be a column name", query="\ud800")
    refused(ArgumentError, "cannot be a column name", run={**RUN, "\ud800": [1, 2, 3]})
    refused(ArgumentError, "cannot be the name of a model", run={"\ud800": RUN, "b": RUN})
    refused(ArgumentTypeError, "cannot take these values", run={**RUN, "item": ["a", "\ud800", "c"]})


@pytest.mark.parametrize(
    ("columns", "arguments", "message"),
    [
        ("[1] AS query, 1 AS item", {}, "'query' (query=) is of type INTEGER[]"),
        ("{'a': 1} AS query, 1 AS item", {}, "'query' (query=) is of type STRUCT"),
        ("1 AS query, {'a': 1} AS item", {}, "'item' (item=) is of type STRUCT"),
        ("1 AS query, 1 AS item, [1] AS system", {"model": "system"}, "'system' (model=) is of type INTEGER[]"),
        ("1 AS query, 1 AS item, map {1: 1} AS site", {"by": "site"}, "'site' (by=) is of type MAP"),
    ],
)
def test_a_key_of_nested_type_raises(columns: str, arguments: dict[str, Any], message: str) -> None:
    run = duckdb.sql(f"SELECT {columns}, 1 AS score, 1 AS relevance")
    with pytest.raises(ArgumentTypeError) as caught:
        evaluate(run, **arguments)
    assert message in str(caught.value)
    assert "must hold single values" in str(caught.value)


def test_a_value_without_a_python_form_raises() -> None:
    run = duckdb.sql("SELECT INTERVAL '2000000000 days' AS query, 1 AS item, NULL AS score, 1 AS relevance")
    fails(EngineError, "could not give the rows of a statement.* <= 999999999", evaluate, run)


def test_reading_a_closed_result_raises() -> None:
    result = evaluate(RUN, QRELS)
    assert result.means.fetchall()
    result.close()
    for read in (lambda: result.means, lambda: result.per_query, lambda: result.to_trec(each_query=True)):
        fails(ArgumentError, "the result was closed", read)


def test_a_source_of_an_unknown_kind_raises() -> None:
    refused(ArgumentTypeError, "a list cannot be read", run=[1, 2])
    refused(ArgumentTypeError, "None cannot be read", run={"a": None})
    refused(ArgumentTypeError, "connection:", "not str", connection="run.db")
    refused(ArgumentTypeError, "object cannot be read", run=object())
    refused(ArgumentTypeError, "can be read only once", run=pa.table(RUN).to_reader())
    other = duckdb.connect().sql("SELECT 1 AS query")
    refused(ArgumentTypeError, "another connection", run=other, connection=duckdb.connect())


def test_rows_without_a_value_that_counts_raise() -> None:
    refused(DataError, "is NULL in the run", run={**RUN, "item": ["a", None, "c"]}, nulls="last")
    refused(DataError, "is NULL in the run", "item=None", run={**RUN, "item": pd.Series(["a", None, "c"])})
    refused(DataError, "is NULL in the qrels", "query=None", qrels={**QRELS, "query": ["q1", None, "q2"]})
    refused(DataError, "'relevance' is NULL or NaN", "item='x'", qrels={**QRELS, "relevance": [1, None, 1]})
    refused(
        ArgumentTypeError, "'relevance' (relevance=) is of type VARCHAR", qrels={**QRELS, "relevance": ["y", "n", "y"]}
    )
    refused(DataError, "1e12 or more", qrels={**QRELS, "relevance": [1.0, float("inf"), 1.0]})


def test_a_column_of_the_wrong_type_raises() -> None:
    refused(
        ArgumentTypeError,
        "'score' (score=) is of type VARCHAR, but a score is a number",
        run={**RUN, "score": ["x", "y", "z"]},
    )
    refused(ArgumentTypeError, "a rank is a whole number", run={**RUN, "rank": ["1", "2", "1"]}, rank="rank")
    mixed: list[tuple[str, list[Any], str]] = [
        ("item", ["7", 7, "c"], "'7' and 7"),
        ("query", ["q1", 1.5, "q2"], "'q1' and 1.5"),
        ("item", [["a"], [1], ["c"]], "'a' and 1"),
    ]
    for column, values, told in mixed:
        expected = f"column '{column}' ({column}=) mixes text"
        refused(ArgumentTypeError, expected, told, run={**RUN, column: values})
    runs = {"one": {**RUN, "site": ["1", "1", "2"]}, "two": {**RUN, "site": [1, 1, 2]}}
    refused(ArgumentTypeError, "'site' of run 'one' is VARCHAR", "'site' of run 'two'", run=runs, by="site")


def test_a_name_of_columns_that_differ_only_in_case_raises(tmp_path: Path) -> None:
    frame = pl.DataFrame({**RUN, "Score": [0.1, 0.2, 0.3]})
    frame.write_parquet(tmp_path / "run.parquet")
    relation = duckdb.sql("SELECT 'q1' AS query, 'b' AS item, 1 AS score, 2 AS Score")
    for run in (frame, tmp_path / "run.parquet", relation):
        for name in ("score", "Score"):
            refused(DataError, "several columns are named 'score', or differ only in case", run=run, score=name)
    refused(DataError, "several columns are named 'SCORE', or differ only in case", run={"SCORE": RUN["score"], **RUN})


def test_arguments_without_effect_raise(tmp_path: Path) -> None:
    lists = {"query": ["q1", "q2"], "item": [["a", "b"], ["c"]], "rank": [1, 1], "s": [1, 1]}
    ranks = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "rank": [1, 2, 1]}
    refused(ArgumentError, "rank: 'item' (item=) holds lists", run=lists, rank="rank")
    refused(ArgumentError, "score: 'item' (item=) holds lists", run=lists, score="s")
    refused(ArgumentError, "score: 'rank' (rank=) already ranks", run=ranks, rank="rank", score="s")
    refused(ArgumentError, "ties: 'item' needs a score", run=ranks, rank="rank", ties="item")
    refused(ArgumentError, "ties: 'optimistic' needs a score", run=lists, ties="optimistic")
    with pytest.raises(ArgumentError, match="qrels_query: it names a column of the qrels, but there are none"):
        evaluate({**RUN, "relevance": [1, 1, 1]}, qrels_query="query")
    (tmp_path / "run").write_text("q1 Q0 a 1 0.9 m")
    refused(ArgumentError, "has fixed columns", run=tmp_path / "run", query=["user", "day"])
    refused(ArgumentError, "'metric'", "rename", by="metric")


def test_invalid_ranks_raise() -> None:
    run = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"]}
    for ranks in ([0, 1, 1], [1, 1, 1], [1, 3, 1]):
        refused(DataError, "not 1, 2, 3", "query='q1'", run={**run, "rank": ranks}, rank="rank")
    for first in (1, 2):
        refused(DataError, "'rank' is NULL", run={**run, "rank": [first, None, 1]}, rank="rank")
    for ranks in ([2, 3, 1], [1, 3, 1], [3, 4, 1]):
        told = "not 1, 2, 3" if ranks[0] == 2 else "leave out one of 1, 2, 3", "query='q1'"
        refused(DataError, *told, run={**run, "rank": ranks}, rank="rank", metrics="recall@2")
    refused(ArgumentError, "min_score: 1.0 needs a score", run={**run, "rank": [1, 2, 1]}, rank="rank", min_score=1)


def test_invalid_lists_raise() -> None:
    twice = {"query": [1, 1], "item": [["a", "b"], ["c"]], "relevance": [["a"], ["c"]]}
    holed = {"query": [1, 2], "item": [["a", None], ["b"]], "relevance": [["a"], ["b"]]}
    copies = {"m": ["1", "1", "2"], "query": [1] * 3, "item": ["a"] * 3, "score": [3, 2, 1], "relevance": [1] * 3}
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (twice, {}, "more than one list in column 'item', for a query .* query=1"),
        (holed, {}, "Column 'item' is NULL .* query=1, item=None"),
        (holed, {"nulls": "drop"}, "A list in column 'item' holds a NULL"),
        (copies, {"model": "m"}, "more than once .* m='1', query=1, item='a'"),
    ]
    for run, arguments, told in cases:
        fails(DataError, told, evaluate, run, **arguments)
    judged = {"query": [1, 2], "item": [["a", None], ["b"]]}
    for nulls in ("error", "drop"):
        run = {"query": [1], "item": ["a"], "score": [1]}
        refused(DataError, "NULL in the qrels", run=run, qrels=judged, nulls=nulls)


@pytest.mark.parametrize("queries", [100_000, 200_000, 400_000])
@pytest.mark.parametrize(("metric", "ties"), [("dcg@10", "item"), ("dcg(mean=sum)@10", "expected")])
def test_values_that_add_up_to_too_much_for_an_exact_mean_raise(metric: str, ties: str, queries: int) -> None:
    """Each relevance is below 1e12, but the sum is not below 8.5e16."""
    pairs = {"query": list(range(queries)), "item": [1] * queries}
    run, qrels = {**pairs, "score": [1.0] * queries}, {**pairs, "relevance": [9e11] * queries}
    refused(
        DataError,
        "add up to more than 8.5e16",
        "Divide the relevance values, gains or options by a constant",
        run=run,
        qrels=qrels,
        metrics=metric,
        ties=ties,
    )


@pytest.mark.slow
def test_large_weights_do_not_add_up_to_too_much() -> None:
    pairs = {"query": list(range(200_000)), "item": [1] * 200_000}
    run, qrels = {**pairs, "score": [1.0] * 200_000}, {**pairs, "relevance": [1e3] * 200_000}
    weights = {"query": pairs["query"], "weight": [1e9] * 200_000}
    assert evaluate(run, qrels, "dcg@10", weights=weights).value("dcg@10") == pytest.approx(1e3, rel=1e-15)


def test_maps_to_nan_or_text_raise() -> None:
    run = {"query": [1], "item": ["a"], "score": [1]}
    no_number = {"query": [1, 2], "item": [{"a": float("nan"), "b": 1.0}, {"a": 1.0}]}
    refused(DataError, "'relevance' is NULL or NaN", "item='a'", run=run, qrels=no_number)
    assert evaluate(run, no_number, nulls="last").value("recall@10") == 0.0
    text = {"query": [1], "item": [{"a": "2"}]}
    refused(ArgumentTypeError, "the maps in column 'item'", "hold VARCHAR", run=run, qrels=text)


def test_several_runs_of_lists_need_separate_qrels() -> None:
    run = {"query": [1], "item": [["a"]], "relevance": [["a"]]}
    fails(ArgumentError, "pass the relevant items as qrels=", evaluate, {"one": run, "two": run})
    both = {"model": ["one", "two"], "query": [1, 1], "item": [["a"], ["b"]], "relevance": [["a"], ["a"]]}
    fails(ArgumentError, "pass the relevant items as qrels=", evaluate, both, model="model")
    qrels = {"query": [1], "item": [["a"]]}
    assert evaluate(both, qrels, model="model").value("recall@10", model="one") == 1.0


def test_two_metrics_cannot_share_a_column(tmp_path: Path) -> None:
    text = Path(templates.metric_files(templates.sql_folder() / templates.METRICS)["hit_rate"].path).read_text()
    (tmp_path / "recall_at_1.sql").write_text(text.replace("AS hit_rate", "AS recall_at_1"))
    refused(ArgumentError, "share a column", metrics=["recall@1", "recall_at_1"], metric_folder=tmp_path)


def test_ids_in_csv_may_be_text_next_to_whole_numbers(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query,item,score\n1,x3,3\n1,99999999999999999999,2\n1,2,1\n")
    qrels = {"query": [1], "item": [2], "relevance": [1]}
    assert evaluate(tmp_path / "run.csv", qrels, "rr").value("rr") == 1 / 3
    (tmp_path / "run.csv").write_text("query,item,score\n1,1,2\n1,1.5,1\n")
    refused(DataError, "run.csv", "'item' are spelled in another way", "'1.5'", run=tmp_path / "run.csv", qrels=qrels)


def test_keys_of_differing_precision_raise() -> None:
    single = pa.table({"query": pa.array([0.1], pa.float32()), "item": ["a"], "score": [1]})
    qrels = {"query": [0.1], "item": ["a"], "relevance": [1]}
    refused(ArgumentTypeError, "'query' of run is FLOAT", "of qrels is DOUBLE", run=single, qrels=qrels)
    judged = pa.table({"query": pa.array([0.1], pa.float32()), "item": ["a"], "relevance": [1]})
    assert evaluate(single, judged).value("recall@10") == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ties": "itme"}, "ties: 'itme' is not one of .* Did you mean 'item'?"),
        ({"nulls": None}, "nulls: None is not one of"),
        ({"threshold": 0}, "threshold: 0.0 is not above 0"),
        ({"threshold": "2"}, "threshold: a number is expected, not '2'"),
        ({"min_score": float("inf")}, "min_score: a finite number"),
        ({"query": []}, "query: name the column"),
        ({"query": ["query", "QUERY"]}, "names a column twice"),
        ({"query": [1]}, "query: a column name is expected, not 1"),
        ({"item": "it\0em"}, "cannot be a column name"),
        ({"query": "model"}, "the result has a column 'model' of its own"),
        ({"qrels_query": ["a", "b"]}, "must be as many columns as query"),
        ({"score": ["a", "b"], "model": "m"}, "run: pass only one of these: several named runs"),
        ({"metric_folder": "nowhere"}, "'nowhere' is not a folder that holds .sql files"),
    ],
)
def test_an_invalid_argument_raises(arguments: dict[str, Any], message: str) -> None:
    fails(RecallError, message, evaluate, RUN, QRELS, **arguments)


def test_a_value_that_was_not_asked_for_raises() -> None:
    result = evaluate({"one": RUN, "two": RUN}, QRELS)
    fails(UnknownNameError, "'recall@5' was not asked for. Did you mean 'recall@10'?", result.value, "recall@5")
    fails(ArgumentError, "Name one of 'one', 'two'", result.value, "recall@10")
    fails(UnknownNameError, "there is no model 'three'", result.value, "recall@10", model="three")


@pytest.mark.parametrize("name", ["a.b.c.d", "a..b", ".a", "a."])
def test_an_invalid_name_of_a_table_raises(name: str) -> None:
    fails(ArgumentError, "cannot be the name of a table", recall_duckdb.sql, name, "qrels")


def test_a_notebook_shows_the_users_line_and_the_message() -> None:
    with pytest.raises(UnknownNameError) as raised:
        evaluate({"query": [1], "item": [1], "score": [1.0]}, {"query": [1], "itm": [1], "relevance": [1]})
    line, message = raised.value._render_traceback_()
    assert re.fullmatch(r'line \d+: evaluate\(\{"query": .*', line)
    assert message == f"UnknownNameError: {raised.value}"
    assert "has no column 'item' (qrels_item=)" in message


def test_several_columns_in_one_name_are_refused_in_a_statement_too() -> None:
    told = r"'user,day' \(query=\) would be a single column. Did you mean query=\['user', 'day'\]"
    fails(ArgumentError, told, recall_duckdb.sql, "run", "qrels", query="user,day")


def test_a_file_with_a_column_for_each_rank_is_refused_with_the_query_that_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "by_rank.csv"
    path.write_text("query,1,2\nq,a,b\n")
    query = re.search(r"As a query: (\(.*\))\. Its", refused(UnknownNameError, run=path))
    assert query is not None
    assert evaluate(query[1], {"q": ["b"]}, "rr").value("rr") == 0.5
