"""The table macros of DuckDB: the metrics as table functions, equal to evaluate."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from recall_duckdb import ArgumentTypeError, DataError, EngineError, __version__, evaluate, install, sql, uninstall
from recall_duckdb.cli import main as command
from recall_duckdb.definitions import templates
from recall_duckdb.macros.installing import macro_file
from recall_duckdb.macros.writing import supported_metrics
from recall_duckdb.question.metrics import options, parse

OURS = {*re.findall(r"\b(_rd_\w+|_lists|_judged)\b", macro_file())}  # relations in the macros


@pytest.fixture(scope="module")
def installed() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    install(connection)
    yield connection
    connection.close()


@pytest.fixture
def con(installed: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection with the macros, run and qrels; what a test adds is removed."""
    installed.execute("CREATE SCHEMA work; USE work")
    installed.execute(
        "CREATE TABLE run AS FROM (VALUES ('q1', 'a', 9e-1), ('q1', 'b', 8e-1), ('q2', 'c', 7e-1)) "
        "AS given(query, item, score)"
    )
    installed.execute(
        "CREATE TABLE qrels AS FROM (VALUES ('q1', 'b', 1), ('q1', 'x', 1), ('q2', 'c', 2)) t(query, item, relevance)"
    )
    yield installed
    installed.execute("USE main; DROP SCHEMA work CASCADE")


def rows(con: duckdb.DuckDBPyConnection, call: str) -> list[tuple[Any, ...]]:
    return con.execute(f"FROM recall_duckdb.{call}").fetchall()


def test_a_macro_returns_the_means(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "recall_at_k('run', 'qrels', 1)") == [("recall", 1, 0.5, 2)]
    assert rows(con, "recall_at_k('run', 'qrels', k := [1, 2]) ORDER BY k") == [
        ("recall", 1, 0.5, 2),
        ("recall", 2, 0.75, 2),
    ]
    assert rows(con, "recall_at_k('run', 'qrels', k := NULL)") == [("recall", None, 0.75, 2)]
    assert rows(con, "recall_at_k('run', 'qrels', NULL::INT[])") == [("recall", None, 0.75, 2)]
    relation = con.sql("FROM recall_duckdb.ranking_metrics('run', 'qrels', k := 1)")
    assert relation.columns == ["metric", "k", "value", "queries"]
    assert [row[0] for row in relation.fetchall()] == ["recall", "precision", "f1", "hit_rate", "rr", "ap", "ndcg"]


def test_the_values_of_queries_are_rows(con: duckdb.DuckDBPyConnection) -> None:
    relation = con.sql("FROM recall_duckdb.ranking_metrics_per_query('run', 'qrels', k := [1, 2]) ORDER BY recall, k")
    assert relation.columns == ["query", "k", "recall", "precision", "f1", "hit_rate", "rr", "ap", "ndcg"]
    assert [row[:3] for row in relation.fetchall()] == [("q1", 1, 0.0), ("q1", 2, 0.5), ("q2", 1, 1.0), ("q2", 2, 1.0)]


def literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def call(name: str, **arguments: object) -> str:
    """Write a call. Names of arguments are quoted, because SQL reserves `order`."""
    given = "".join(f', "{key}" := {literal(value)}' for key, value in arguments.items())
    return f"{name}('run', 'qrels'{given})"


@pytest.mark.slow
@pytest.mark.parametrize("given", [{}, {"missing": "skip", "no_relevant": "skip", "threshold": 2}, {"by": "country"}])
def test_every_macro_and_option_gives_the_means_of_evaluate(
    con: duckdb.DuckDBPyConnection, given: dict[str, Any]
) -> None:
    """test_random_data compares some macros of random data, names and types of ids with the reference."""
    con.execute("""
        CREATE OR REPLACE TABLE run AS
        SELECT 'm' || m AS model, q AS query, i AS item, hash(m, q, i) % 4 AS score
        FROM range(2) AS a(m), range(6) AS b(q), range(7) AS c(i) WHERE hash(i, q, m) % 3 > 0
    """)
    con.execute("""
        CREATE OR REPLACE TABLE qrels AS
        SELECT q AS query, i AS item, hash(q, i) % 5 - 1.0 AS relevance, 's' || q % 2 AS country
        FROM range(1, 8) AS a(q), range(8) AS b(i) WHERE hash(i, q) % 3 > 0
    """)
    calls: dict[str, str] = {}
    for template in supported_metrics()[:: 6 if given else 1]:  # all share what reads the policies and slices
        known = [each for each in options(template).values() if each.name not in ("threshold", "mean", "max_grade")]
        pairs = [(each.name, value) for each in known for value in each.choices[1:] or [3.5] * each.holds(3.5)]
        for own in [{}, *({name: value} for name, value in pairs if value != "table" and not given)]:
            name = template.name + "".join(f"({option}={value})" for option, value in own.items())
            cutoffs = {"k": [1, 3]} if "k" in template.parameters else {}
            macro = f"{template.name}_at_k" if cutoffs else template.name
            calls[name + "@1,3" * bool(cutoffs)] = call(macro, **cutoffs, **own, model="model", **given)
    expected: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in evaluate("run", "qrels", [*calls], connection=con, model="model", **given).to_dicts():
        expected[row["metric"]].append((row["model"], row.get("country"), row["k"], row["queries"], row["value"]))
    for metrics, written in calls.items():
        relation = con.sql(f"FROM recall_duckdb.{written}")
        columns = ["model", "slice" if given.get("by") else "NULL", "k", "queries", "value"]
        found = sorted(relation.select(", ".join(columns)).fetchall(), key=str)
        for one, other in zip(found, sorted(expected[parse([metrics])[0].name], key=str), strict=True):
            assert one[:4] == other[:4], written
            assert one[4] == (None if other[4] is None else pytest.approx(other[4], abs=1e-12)), written


@pytest.mark.slow
def test_long_lists_with_ties_have_the_same_top(con: duckdb.DuckDBPyConnection) -> None:
    """Lists of 40 to 200 items are cut before they are ranked."""
    con.execute("""
        CREATE OR REPLACE TABLE run AS
        SELECT model, query, item, hash(model, query, item) % 12 AS score
        FROM range(1, 3) AS a(model), range(5) AS b(query), range(40 * (query + 1)) AS c(item)
    """)
    con.execute("""
        CREATE OR REPLACE TABLE qrels AS SELECT query, item, hash(item) % 3 AS relevance
        FROM range(6) AS b(query), range(20) AS c(item)
    """)
    for k in ([1], [3, 10], [1, 50], None):
        own = call("ndcg_at_k", k=k, model="model")
        metrics = ["ndcg"] if k is None else [f"ndcg@{each}" for each in k]
        expected = evaluate("run", "qrels", metrics, model="model", connection=con).to_dicts()
        found = con.execute(f"SELECT model, value, queries FROM recall_duckdb.{own} ORDER BY model, k").fetchall()
        assert found == [(row["model"], pytest.approx(row["value"], abs=1e-12), row["queries"]) for row in expected]


FAULTS = [
    ("DELETE FROM run", "The run has no rows"),
    ("DELETE FROM qrels", "The qrels have no rows"),
    (
        "INSERT INTO run VALUES ('q1', 'a', 0.1)",
        "The run holds an item (column 'item') more than once in a query's list",
    ),
    ("INSERT INTO run VALUES ('q1', NULL, 0.1)", "Column 'query', column 'item' or the model is NULL in the run"),
    ("INSERT INTO run VALUES ('q1', 'z', NULL)", "Column 'score' is NULL or NaN, for example query='q1'"),
    ("INSERT INTO run VALUES ('q1', 'z', 'nan')", "Column 'score' is NULL or NaN"),
    ("INSERT INTO qrels VALUES ('q1', 'b', 2)", "The qrels judge an item (column 'item') more than once for a query"),
    ("INSERT INTO qrels VALUES (NULL, 'b', 2)", "Column 'query' or column 'item' is NULL in the qrels"),
    ("INSERT INTO qrels VALUES ('q1', 'z', NULL)", "Column 'relevance' is NULL or NaN"),
    ("UPDATE qrels SET relevance = 0", "No row of the qrels is relevant: column 'relevance' is never above 0"),
    ("UPDATE qrels SET query = 'other ' || query", "The run holds none of the queries of the qrels"),
]
SHAPES = [
    "SELECT * FROM recall_duckdb.{}('run', 'qrels')",
    "SELECT count(*) FROM recall_duckdb.{}('run', 'qrels')",
    "SELECT 1 FROM recall_duckdb.{}('run', 'qrels') WHERE k > 100",
    "SELECT k FROM recall_duckdb.{}('run', 'qrels') LIMIT 1",
]


@pytest.mark.parametrize(("fault", "message"), FAULTS, ids=[message[:40] for _, message in FAULTS])
def test_a_fault_is_an_error_whatever_is_selected(con: duckdb.DuckDBPyConnection, fault: str, message: str) -> None:
    con.execute(fault.replace("'nan'", "'nan'::DOUBLE"))
    place = FAULTS.index((fault, message)) % len(SHAPES)
    calls = [*((shape, "recall_at_k") for shape in SHAPES), (SHAPES[place], "ranking_metrics")]
    for shape, macro in (*calls, (SHAPES[place - 1], "ranking_metrics_per_query")):
        with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
            con.execute(shape.format(macro)).fetchall()


@pytest.mark.slow
def test_nan_in_parquet_files_is_an_error(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute("INSERT INTO run VALUES ('q2', 'z', 'nan'::DOUBLE)")
    con.execute(f"COPY run TO '{tmp_path}/run.parquet'")
    with pytest.raises(duckdb.InvalidInputException, match=re.escape("Column 'score' is NULL or NaN")):
        rows(con, f"recall_at_k('{tmp_path}/run.parquet', 'qrels', 5)")


# What is no cutoff, with the text that the message shows.
CUTOFFS = {
    **{
        each: each
        for each in ("0", "-1", "1.5", "[1, -2]", "[1, NULL]", "[]", "true", "[true]", "'abc'", "'3'", "[[1]]")
    },
    **{"'nan'::DOUBLE": "nan", "1e300": "1e+300", "[2.5, 1]": "[2.5, 1.0]", "{'k': 1}": "{'k': 1}"},
    **{"DATE '2026-01-01'": "2026-01-01", "INTERVAL 3 DAY": "3 days", "2147483647": "2147483647. The highest is"},
}
REFUSED = [
    *((f"k := {k}", f"k: a whole number above 0, or a list of them, is expected, not {CUTOFFS[k]}") for k in CUTOFFS),
    ("threshold := true", "threshold: a number above 0 is expected, not true"),
    ("threshold := 0", "threshold: a number above 0 is expected, not 0"),
    ("threshold := 'inf'::DOUBLE", "threshold: a number above 0 is expected, not inf"),
    ("missing := NULL", "missing: zero or skip is expected, not NULL"),
    ("item := 'Query'", "query, item, score, model: two of them name the same column of the run"),
    ("relevance := 'item'", "qrels_query, qrels_item, relevance: two of them name the same column of the qrels"),
    ("item := 'a$rd$ AS b'", "a name holds $rd$ or a control character. Rename it in a view"),
    ("item := 'a' || chr(30) || 'b'", "a name holds $rd$ or a control character. Rename it in a view"),
    ("query := []", "query, qrels_query: name a column, or a list of columns"),
    ("qrels_query := []", "query, qrels_query: name a column, or a list of columns"),
    ("rank := 'score'", "Column 'score' is NULL, or not a whole number"),
    ("score := 'Distance'", "score: 'Distance' is usually a distance, of which the lowest"),
    (
        "score := 'Position'",
        "score: 'Position' is usually a rank, of which the lowest is the best. Pass rank := 'Position'",
    ),
    # A column that is not there. Without a column "user", DuckDB itself would read the name of its user.
    *(
        (
            f"query := '{name}', qrels_query := 'query'",
            f"query: run has no column '{name}'. Its columns: query, item, s",
        )
        for name in ("user", "current_date")
    ),
    ("qrels_query := 'user'", "query: qrels has no column 'user'. Its columns: query, item, relevance. Name the right"),
    ("score := 'points'", "score: run has no column 'points'"),
    ("rank := 'place'", "rank: run has no column 'place'"),
    ("model := 'system'", "model: run has no column 'system'"),
    ("qrels_item := 'doc'", "item: qrels has no column 'doc'"),
    ("relevance := 'grade'", "relevance: qrels has no column 'grade'. Its columns: query, item, relevance"),
    ("\"by\" := 'country'", "by: qrels has no column 'country'"),
]
OF_OTHERS = [
    ("ndcg_at_k('run', 'qrels', gain := 'cubic')", "gain: linear, exponential or binary is expected, not cubic"),
    ("fbeta_at_k('run', 'qrels', beta := 0)", "beta: a number above 0 and at most 1000 is expected, not 0"),
    ("rbp_at_k('run', 'qrels', p := NULL)", "p: a number above 0 and below 1 is expected, not NULL"),
    ("partial_auc_at_k('run', 'qrels', k := NULL)", "k: this metric needs a cutoff"),
    ("recall_at_k(['run', 'run'], 'qrels', 5)", "Use a glob for several files"),
]


@pytest.mark.parametrize(
    ("call", "message"), [*((f"recall_at_k('run', 'qrels', {given})", told) for given, told in REFUSED), *OF_OTHERS]
)
def test_a_wrong_argument_is_an_error(con: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        rows(con, call)


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["item", "score", "relevance", "model", "qrels_item"])
def test_a_list_of_columns_is_refused(con: duckdb.DuckDBPyConnection, argument: str) -> None:
    message = "item, score, rank, relevance, model: the name of one column is expected, not a list"
    for call in ("recall_at_k", "ranking_metrics", "ranking_check"):
        with pytest.raises(duckdb.InvalidInputException, match=message):
            rows(con, f"{call}('run', 'qrels', {argument} := ['query', 'item'])")


def test_query_and_by_may_be_several_columns(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""
        CREATE TABLE visits AS SELECT query AS "User Id", 1 AS day, item, score FROM run;
        CREATE TABLE bought AS SELECT query AS "User Id", 1 AS day, item, relevance, 'DE' AS country FROM qrels
    """)
    call = "recall_at_k('visits', 'bought', 1, query := ['day', 'User Id']"
    assert rows(con, f"{call})") == [("recall", 1, 0.5, 2)]
    found = rows(con, f"{call}, \"by\" := ['country', 'day'])")
    assert found == [(None, "recall", 1, 0.5, 2), ({"country": "DE", "day": 1}, "recall", 1, 0.5, 2)]
    with pytest.raises(duckdb.BinderException, match='"hour" not found'):
        rows(con, f"{call.replace('day', 'hour')})")
    con.execute("INSERT INTO visits VALUES ('q1', NULL, 'a', 0.9)")
    with pytest.raises(duckdb.InvalidInputException, match=re.escape("Column '[day, User Id]', column 'item' or the")):
        rows(con, f"{call})")


def test_padding_below_the_cutoff_is_an_error(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("INSERT INTO run VALUES ('q1', '-1', 0.1)")
    con.execute("UPDATE run SET item = '7' WHERE item <> '-1'; UPDATE qrels SET item = '7' WHERE item = 'c'")
    con.execute("DELETE FROM run WHERE score = 8e-1")
    for macro in ("recall_at_k", "ranking_metrics", "ranking_metrics_per_query"):
        with pytest.raises(duckdb.InvalidInputException, match="item with which vector indexes fill short lists"):
            rows(con, f"{macro}('run', 'qrels', 1)")


def test_a_column_that_neither_side_has_is_named(con: duckdb.DuckDBPyConnection) -> None:
    """Two threads read the sides: the first that looks for its column is named."""
    with pytest.raises(duckdb.InvalidInputException, match="query: (run|qrels) has no column 'user'"):
        rows(con, "recall_at_k('run', 'qrels', 5, query := 'user')")


def test_other_policies_are_written_as_a_macro(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("INSERT INTO run VALUES ('q1', 'n', NULL)")
    advice = "pass nulls='drop' to leave out such rows, or nulls='last' to rank them last. For such an argument, write"
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(advice)):
        rows(con, "recall_at_k('run', 'qrels', 2)")
    con.execute(sql("run", "qrels", "recall@2", nulls="drop", form="macro", name="recall_without_nulls"))
    assert con.execute("SELECT value FROM recall_without_nulls('run', 'qrels')").fetchall() == [(0.75,)]


def test_files_are_read_in_place_by_name(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute(f"COPY (SELECT * FROM run WHERE query = 'q1') TO '{tmp_path}/1.parquet'")
    con.execute(f"COPY (SELECT score, item, query FROM run WHERE query = 'q2') TO '{tmp_path}/2.parquet'")
    assert rows(con, f"recall_at_k('{tmp_path}/*.parquet', 'qrels', 2)") == [("recall", 2, 0.75, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        *("run.csv", "run.CSV", "run.tsv", "run.csv.gz", "run.csv.zst", "runs/*.csv", "https://x.org/run.csv?a=1"),
        *("run.json", "run.jsonl", "run.ndjson", "run.json.gz", "s3://runs/**/*.jsonl.zst", '"run.csv"', "a.run.csv"),
    ],
)
def test_files_whose_types_duckdb_guesses_are_refused(con: duckdb.DuckDBPyConnection, path: str) -> None:
    name = path.strip('"')
    for call in (f"recall_at_k('{path}', 'qrels')", f"ranking_check('run', '{path}')"):
        with pytest.raises(duckdb.InvalidInputException, match=re.escape(f"guess the types in {name} from its first")):
            rows(con, call)


@pytest.mark.slow
def test_a_table_whose_name_ends_like_a_file_needs_a_view(con: duckdb.DuckDBPyConnection) -> None:
    con.execute('CREATE TABLE "runs.csv" AS FROM run; CREATE VIEW runs AS FROM "runs.csv"')
    with pytest.raises(duckdb.InvalidInputException, match="Pass the name of a view with types"):
        rows(con, "recall_at_k('\"runs.csv\"', 'qrels', 1)")
    assert rows(con, "recall_at_k('runs', 'qrels', 1)") == [("recall", 1, 0.5, 2)]


def written(folder: Path, kind: str) -> tuple[Path, Path]:
    """Write a run and qrels whose types differ far down; return their paths."""
    ids = [("q1", "1.1"), ("10:00", "10:00:00"), ("10:00:00", "#1"), ("0e12", 'it\'s, "a"'), ("0e99", "0e12")]
    grades = (0.4, 2.5, 1.0, 1.0, 1.0)
    run = [("q1", "1.10", 3.0), *((query, item, 2.0) for query, item in ids)]
    qrels = [(f"q{number}", "z", 1.0) for number in range(21_000)]
    qrels += [(query, item, grade) for (query, item), grade in zip(ids, grades, strict=True)]
    paths = folder / f"the run.{kind}", folder / f"qrels.{kind}"
    for path, names, values in zip(paths, ("user,item,score", "user,item,relevance"), (run, qrels), strict=True):
        with path.open("w", encoding="utf-8", newline="") as file:
            if kind == "csv":
                writer = csv.writer(file)
                writer.writerows([names.split(","), *values])
            else:
                rows_as_json = (json.dumps(dict(zip(names.split(","), row, strict=True))) for row in values)
                file.writelines(f"{line}\n" for line in rows_as_json)
    return paths


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_the_view_that_the_error_shows_gives_the_numbers_of_evaluate(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    con.execute("DROP TABLE run; DROP TABLE qrels")
    run, qrels = written(tmp_path, kind)
    names = [f"'{run}'", f"'{qrels}'"]
    for place, view in enumerate(["run", "qrels"]):
        with pytest.raises(duckdb.InvalidInputException) as error:
            rows(con, f"ndcg_at_k({', '.join(names)}, query := 'user', missing := 'skip')")
        shown = str(error.value).partition(" such as ")[2].partition("\n")[0]
        assert shown.startswith(f"CREATE VIEW {view} AS FROM read_")
        con.execute(shown)
        names[place] = f"'{view}'"
    [(_, _, value, queries)] = rows(con, "ndcg_at_k('run', 'qrels', query := 'user', missing := 'skip')")
    [expected] = evaluate(run, qrels, ["ndcg@10"], query="user", missing="skip").to_dicts()
    assert (value, queries) == (pytest.approx(expected["value"], abs=1e-12), expected["queries"])


@pytest.mark.slow
@pytest.mark.parametrize("column", ["query", "item", "score", "model"])
@pytest.mark.parametrize("path", ["{}/{}=a/run.parquet", "{}/{}=*/*.parquet", "{}/**/*.parquet"])
def test_a_directory_with_the_name_of_a_column_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, column: str, path: str
) -> None:
    folder = tmp_path / f"{column.upper()}=a"
    folder.mkdir()
    con.execute(f"COPY (SELECT *, 'm' AS model FROM run) TO '{folder}/run.parquet'")
    given = path.format(tmp_path, column.upper())
    message = f"run: the column '{column}' of the file has the name of the directory '{column.upper()}=a' in its path"
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        rows(con, f"recall_at_k('{given}', 'qrels', model := 'model')")
    with pytest.raises(DataError, match=re.escape(message.replace("run:", f"run ({given}):"))):
        evaluate(given, "qrels", ["recall@10"], model="model", connection=con)


@pytest.mark.slow
@pytest.mark.parametrize("column", ["query", "item", "relevance", "country"])
def test_a_directory_with_the_name_of_a_column_of_qrels_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, column: str
) -> None:
    folder = tmp_path / f"{column}=a"
    folder.mkdir()
    con.execute(f"COPY (SELECT *, 'DE' AS country FROM qrels) TO '{folder}/qrels.parquet'")
    with pytest.raises(duckdb.InvalidInputException, match=f"qrels: the column '{column}' of the file has the name"):
        rows(con, f"recall_at_k('run', '{folder}/qrels.parquet', \"by\" := 'country')")


@pytest.mark.slow
def test_a_column_that_only_directories_hold_is_read_as_in_evaluate(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    for name in ("bm25", "dense"):
        (tmp_path / f"system={name}" / "score=1").mkdir(parents=True)
        con.execute(f"COPY (SELECT query, item, score AS s FROM run) TO '{tmp_path}/system={name}/score=1/1.parquet'")
    given = f"{tmp_path}/*/*/*.parquet"
    found = rows(con, f"recall_at_k('{given}', 'qrels', 1, model := 'system', score := 's') ORDER BY model")
    assert found == [("bm25", "recall", 1, 0.5, 2), ("dense", "recall", 1, 0.5, 2)]
    means = evaluate(given, "qrels", ["recall@1"], model="system", score="s", connection=con).to_dicts()
    assert [(row["model"], row["value"]) for row in means] == [("bm25", 0.5), ("dense", 0.5)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("1 AS score", "0.4::DOUBLE AS score", "some files do not hold the column 'score' as DOUBLE"),
        ("7::BIGINT AS item, 1 AS score", "'7' AS item, 1 AS score", "some files do not hold the column 'item' as"),
        ("1.5 AS score", "1.25 AS score", "some files do not hold the column 'score' as DECIMAL"),
    ],
)
def test_files_of_a_glob_that_differ_in_a_type_are_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, first: str, second: str, message: str
) -> None:
    """DuckDB casts the columns of all files to the types of the first: 0.4 would become 0."""
    for number, columns in enumerate([first, second]):
        item = "" if "item" in columns else f"'i{number}' AS item, "
        con.execute(f"COPY (SELECT 'q1' AS query, {item}{columns}) TO '{tmp_path}/{number}.parquet'")
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        rows(con, f"recall_at_k('{tmp_path}/*.parquet', '{tmp_path}/*.parquet', relevance := NULL)")


@pytest.mark.slow
def test_columns_that_a_macro_does_not_read_may_differ(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A field inside another column may have the name of a column that is read."""
    folder = tmp_path / "day=1"
    folder.mkdir()
    for number, note in enumerate(["1 AS note", "'x' AS note"]):
        columns = f"*, {{'score': 'x', 'note': 1}} AS details, {note}"
        con.execute(f"COPY (SELECT {columns} FROM run WHERE query = 'q{number + 1}') TO '{folder}/{number}.parquet'")
    assert rows(con, f"recall_at_k('{folder}/*.parquet', 'qrels', 1)") == [("recall", 1, 0.5, 2)]


TABLES = [
    *('a"b', '"a""b"', 'work."a""b"', '"s.t"."runs 2024"', 'memory."s.t"."runs 2024"'),
    *("select", "Runs 2024", "it's"),
]


@pytest.mark.parametrize("name", TABLES)
def test_any_name_of_a_table_works(con: duckdb.DuckDBPyConnection, name: str) -> None:
    con.execute('CREATE SCHEMA "s.t"; CREATE TABLE "s.t"."runs 2024" AS FROM run; CREATE TABLE "a""b" AS FROM run')
    con.execute(
        'CREATE TABLE "select" AS FROM run; CREATE TABLE "Runs 2024" AS FROM run; CREATE TABLE "it\'s" AS FROM run'
    )
    try:
        assert rows(con, f"recall_at_k({literal(name)}, 'qrels', 1)") == [("recall", 1, 0.5, 2)]
    finally:
        con.execute('DROP SCHEMA "s.t" CASCADE')


HOSTILE = ["User Id", "it's", 'a"b', "query", "item", "k", "by", "select", "é; DROP TABLE run", "_query", "RUN"]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_of_a_column_works(con: duckdb.DuckDBPyConnection, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    con.execute(f"CREATE TABLE other_run AS SELECT query AS {quoted}, item AS its_item, score AS its_score FROM run")
    con.execute(f"CREATE TABLE other_qrels AS SELECT query AS {quoted}, item AS its_item FROM qrels")
    question = call("recall_at_k", k=2, query=name, item="its_item", score="its_score", relevance=None)
    assert rows(con, question.replace("'run', 'qrels'", "'other_run', 'other_qrels'")) == [("recall", 2, 0.75, 2)]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*templates.relations(), *OURS}))
def test_a_table_named_like_one_of_ours_is_read(con: duckdb.DuckDBPyConnection, name: str) -> None:
    if name not in ("run", "qrels"):
        con.execute(f"CREATE TABLE {name} AS FROM run")
        assert rows(con, f"recall_at_k('{name}', 'qrels', 1)") == [("recall", 1, 0.5, 2)]


@pytest.mark.slow
def test_a_call_can_be_part_of_any_statement(con: duckdb.DuckDBPyConnection) -> None:
    own = "recall_duckdb.recall_at_k('run', 'qrels', {})"
    two = f"SELECT a.value, b.value FROM {own.format(1)} AS a, {own.format(2)} AS b"
    assert con.execute(two).fetchall() == [(0.5, 0.75)]
    assert con.execute(f"WITH judged AS (FROM {own.format(1)}) SELECT value FROM judged").fetchall() == [(0.5,)]
    of_cte = "WITH mine AS (FROM run WHERE query = 'q2') FROM recall_duckdb.recall_at_k('mine', 'qrels', 1)"
    assert con.execute(of_cte).fetchall() == [("recall", 1, 0.5, 2)]
    con.execute(f"CREATE VIEW kept AS FROM {own.format(2)}")
    assert con.execute("SELECT value FROM kept").fetchall() == [(0.75,)]
    con.execute(f"PREPARE asked AS SELECT value FROM {own.format('$1')}")
    assert con.execute("EXECUTE asked(1)").fetchall() == [(0.5,)]
    assert con.execute("EXECUTE asked(2)").fetchall() == [(0.75,)]


def test_faults_are_rows_of_ranking_check(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "ranking_check('run', 'qrels')") == []
    con.execute("INSERT INTO run VALUES ('q1', 'a', 0.1), ('q2', 'n', NULL)")
    relation = con.sql("FROM recall_duckdb.ranking_check('run', 'qrels') ORDER BY ALL")
    assert relation.columns == ["check", "rule", "faults", "do", "example"]
    assert [(row[0], row[2], row[4]) for row in relation.fetchall()] == [
        ("run_duplicates", 1, "query='q1', item='a'"),
        ("run_scores", 1, "query='q2'"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "filler", "is_found"),
    [
        ("INTEGER", "-1", True),
        ("DOUBLE", "-1", True),
        ("DECIMAL(38, 0)", "-1", True),
        ("VARCHAR", "'-1'", True),
        ("UINTEGER", "4294967295", True),
        ("UBIGINT", "18446744073709551615", True),
        ("BIGINT", "4294967295", False),
        ("INTEGER", "-2", False),
        ("VARCHAR", "'-2'", False),
    ],
)
def test_padding_is_found_in_ids_of_any_type(
    con: duckdb.DuckDBPyConnection, kind: str, filler: str, *, is_found: bool
) -> None:
    con.execute(f"CREATE TABLE lists (query INTEGER, item {kind}, score DOUBLE)")
    con.execute(f"INSERT INTO lists VALUES (1, 7, 3), (1, 5, 2), (1, {filler}, 1)")
    con.execute(f"CREATE TABLE truth AS SELECT 1 AS query, CAST(5 AS {kind}) AS item, 1 AS relevance")
    question = "recall_at_k('lists', 'truth', 3"
    if is_found:
        with pytest.raises(duckdb.Error, match=r"item with which vector indexes fill short lists \(column 'item'\)"):
            rows(con, f"{question})")
    else:
        assert rows(con, f"{question})")[0][2] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "relevant"),
    [("(1), (-1), (-2)", "1"), ("(1), (-1)", "-1"), ("('1'), ('-1'), ('b')", "'1'"), ("('1'), ('-1')", "'-1'")],
)
def test_an_item_that_may_be_real_is_no_padding(con: duckdb.DuckDBPyConnection, items: str, relevant: str) -> None:
    con.execute(f"CREATE TABLE lists AS SELECT 1 AS query, item, 1 AS score FROM (VALUES {items}) AS rows(item)")
    con.execute(f"CREATE TABLE truth AS SELECT 1 AS query, {relevant} AS item, 1 AS relevance")
    assert rows(con, "recall_at_k('lists', 'truth', 3)")[0][2] == 1


def test_the_command_line_prints_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["macros"]) == 0
    assert capsys.readouterr().out == macro_file()


@pytest.mark.slow
def test_install_does_not_touch_what_others_created() -> None:
    con = duckdb.connect().execute("CREATE SCHEMA recall_duckdb; CREATE MACRO recall_duckdb.recall_at_k(x) AS x")
    with pytest.raises(EngineError, match="holds 'recall_at_k', which install has not created"):
        install(con)
    con.execute("DROP MACRO recall_duckdb.recall_at_k; CREATE TABLE recall_duckdb.kept AS SELECT 1 AS one")
    install(con)
    install(con)
    with pytest.raises(EngineError, match="holds 'kept', which install has not created"):
        uninstall(con)
    con.execute("DROP TABLE recall_duckdb.kept")
    uninstall(con)
    uninstall(con)
    assert con.execute("SELECT count(*) FROM duckdb_schemas() WHERE schema_name = 'recall_duckdb'").fetchone() == (0,)


@pytest.mark.slow
def test_install_in_a_read_only_database_says_so(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "x.duckdb")).close()
    con = duckdb.connect(str(tmp_path / "x.duckdb"), read_only=True)
    with pytest.raises(EngineError, match="install: .*read-only"):
        install(con)
    assert con.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.slow
def test_install_is_part_of_a_transaction_of_the_user() -> None:
    con = duckdb.connect().execute("BEGIN; CREATE TABLE mine AS SELECT 1 AS one")
    install(con)
    con.execute("ROLLBACK")
    assert con.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)
    assert "recall_duckdb" not in schemas(con)
    con.execute("BEGIN; CREATE TABLE mine AS SELECT 1 AS one")
    install(con)
    con.execute("COMMIT")
    assert con.execute("FROM mine").fetchall() == [(1,)]
    assert "recall_duckdb" in schemas(con)


def schemas(con: duckdb.DuckDBPyConnection) -> list[str]:
    return [name for (name,) in con.execute("SELECT schema_name FROM duckdb_schemas()").fetchall()]


@pytest.mark.slow
def test_uninstall_keeps_types_and_sequences_of_the_user() -> None:
    con = duckdb.connect()
    install(con)
    con.execute("CREATE TYPE recall_duckdb.mine AS ENUM ('a'); CREATE SEQUENCE recall_duckdb.numbers")
    with pytest.raises(EngineError, match=r"^uninstall: .* holds 'mine', 'numbers', which install has not created"):
        uninstall(con)


@pytest.mark.slow
def test_macros_know_their_version() -> None:
    con = duckdb.connect()
    install(con)
    assert con.execute("SELECT recall_duckdb.recall_duckdb_version()").fetchall() == [(__version__,)]
    assert macro_file().splitlines()[1].startswith(f"-- Version {__version__}. ")
    uninstall(con)


@pytest.mark.slow
def test_install_removes_macros_of_an_earlier_version() -> None:
    con = duckdb.connect()
    con.execute("""
        CREATE SCHEMA recall_duckdb;
        CREATE MACRO recall_duckdb.old_at_k(run) AS TABLE SELECT 1 AS one;
        CREATE MACRO recall_duckdb.recall_duckdb_macros() AS ['recall_duckdb_macros', 'old_at_k'];
    """)
    install(con)
    found = "SELECT count(*) FROM duckdb_functions() WHERE function_name = 'old_at_k'"
    assert con.execute(found).fetchone() == (0,)
    uninstall(con)


@pytest.mark.slow
def test_install_works_in_a_database_with_the_name_of_the_schema(tmp_path: Path) -> None:
    con = duckdb.connect(str(tmp_path / "Recall_DuckDB.duckdb"))
    con.execute("CREATE TABLE run AS SELECT 'q' AS query, 'a' AS item, 1 AS score")
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query, 'a' AS item, 1 AS relevance")
    with pytest.raises(duckdb.InvalidInputException, match="a database is called recall_duckdb"):
        con.execute(macro_file())
    install(con)
    install(con)
    assert rows(con, "recall_at_k('run', 'main.qrels', 1)") == [("recall", 1, 1.0, 1)]
    uninstall(con)
    assert con.execute("SELECT count(*) FROM duckdb_functions() WHERE schema_name = 'main'").fetchone() != (0,)
    assert "recall_duckdb" not in schemas(con)
    with pytest.raises(duckdb.CatalogException):
        rows(con, "recall_at_k('run', 'qrels', 1)")
    # The error of the file names this way for other clients.
    con.execute(macro_file().partition("CREATE SCHEMA IF NOT EXISTS recall_duckdb;")[2])
    assert rows(con, "recall_at_k('run', 'qrels', 1)") == [("recall", 1, 1.0, 1)]


@pytest.mark.slow
def test_an_attached_database_with_the_name_of_the_schema_is_refused(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "recall_duckdb.duckdb")).close()
    con = duckdb.connect().execute(f"ATTACH '{tmp_path}/recall_duckdb.duckdb'")
    with pytest.raises(EngineError, match="a database is named 'recall_duckdb'"):
        install(con)


@pytest.mark.slow
@pytest.mark.parametrize("connection", [None, "file.duckdb", 5])
def test_install_needs_a_connection_of_duckdb(connection: Any) -> None:
    for function in (install, uninstall):
        with pytest.raises(ArgumentTypeError, match=r"install: a DuckDB connection is expected, as duckdb.connect\(\)"):
            function(connection)


@pytest.mark.slow
def test_a_lost_connection_or_transaction_is_an_error_of_install() -> None:
    con = duckdb.connect()
    with pytest.raises(duckdb.Error):
        con.execute("BEGIN; SELECT error('x')")
    with pytest.raises(EngineError, match="^install: "):
        install(con)
    con.close()
    with pytest.raises(EngineError, match="^uninstall: "):
        uninstall(con)


TYPES = """
    CREATE TABLE {run} AS SELECT 'q' AS query, {item} AS item, {score} AS score;
    CREATE TABLE {qrels} AS SELECT 'q' AS query, {judged} AS item, {relevance} AS relevance;
"""


def typed(con: duckdb.DuckDBPyConnection, **values: str) -> list[tuple[Any, ...]]:
    usual = {"item": "1", "judged": "1", "score": "1.0", "relevance": "1"}
    con.execute(TYPES.format(run="typed_run", qrels="typed_qrels", **{**usual, **values}))
    return rows(con, "recall_at_k('typed_run', 'typed_qrels', 1)")


@pytest.mark.parametrize("relevance", ["1", "true"])
@pytest.mark.parametrize(("item", "judged"), [("1::INTEGER", "1::BIGINT"), ("1::UTINYINT", "1::HUGEINT")])
def test_types_may_differ(con: duckdb.DuckDBPyConnection, item: str, judged: str, relevance: str) -> None:
    assert typed(con, item=item, judged=judged, relevance=relevance) == [("recall", 1, 1.0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"item": "'1'", "judged": "1.5"},
            "run are VARCHAR and VARCHAR, columns 'query' and 'item' of qrels are VARCHAR and DECIMAL(2,1). Cast one",
        ),
        ({"item": "['a']", "judged": "['a']"}, "each item: SELECT query, unnest(item) AS item, generate_"),
        ({"item": "{'a': 1}", "judged": "{'a': 1}"}, "an order of their own, not STRUCT(a INTEGER)"),
        ({"item": "'a'::ENUM ('a')", "judged": "'a'"}, "an order of their own, not ENUM('a')"),
        ({"item": "'1'::JSON", "judged": "'1'::JSON"}, "an order of their own, not JSON"),
        (
            {"item": "1::UHUGEINT", "judged": "1::HUGEINT"},
            "of run are VARCHAR and UHUGEINT, columns 'query' and 'item' of qrels are VARCHAR and HUGEINT",
        ),
        ({"item": "'A' COLLATE NOCASE", "judged": "'a'"}, "text has a collation, under which different ids may"),
        ({"score": "'9'"}, "score: the column 'score' is of type VARCHAR, but it must hold numbers"),
        ({"score": "true"}, "score: the column 'score' is of type BOOLEAN, but it must hold numbers"),
        ({"score": "'a'::ENUM ('a', '{b}')"}, "is of type ENUM('a', '{b}'), but it must hold numbers"),
        ({"score": "[9.5]"}, "score: the column 'score' is of type DECIMAL(2,1)[], but it must hold numbers"),
        ({"relevance": "'1'"}, "relevance: the column 'relevance' is of type VARCHAR, but it must hold numbers"),
    ],
)
def test_a_wrong_type_is_an_error(con: duckdb.DuckDBPyConnection, values: dict[str, str], message: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        typed(con, **values)


def ranked(con: duckdb.DuckDBPyConnection, values: str) -> None:
    con.execute(f"CREATE TABLE ranks AS FROM (VALUES {values}) AS given (query, item, rank)")
    con.execute("CREATE TABLE c AS SELECT 'q' AS query, 'c' AS item, 1 AS relevance")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("('q', 'a', 1), ('q', 'b', 2), ('q', 'c', 5)", "in a query leave out one of 1, 2, 3 and so on"),
        ("('q', 'a', 1), ('q', 'b', 1e20)", "Column 'rank' is NULL, or not a whole number"),
        ("('q', 'a', 1), ('q', 'b', 'inf'::DOUBLE)", "Column 'rank' is NULL, or not a whole number"),
        ("('q', 'a', 0), ('q', 'c', 1)", "in a query are not 1, 2, 3 and so on, each once"),
        ("('q', 'a', 0), ('q', 'c', 1)", "pass ranks='given' to use the ranks as they are, or ranks='renumber'"),
    ],
)
def test_ranks_that_are_not_1_2_3_are_an_error(con: duckdb.DuckDBPyConnection, values: str, message: str) -> None:
    ranked(con, values)
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        rows(con, "recall_at_k('ranks', 'c', 3, rank := 'rank')")


@pytest.mark.slow
def test_ranking_check_names_queries_that_count_as_zero(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("INSERT INTO qrels VALUES ('q3', 'a', 1), ('q4', 'a', 0); INSERT INTO run VALUES ('q4', 'a', 0.5)")
    found = [(check, faults) for check, _, faults, *_ in rows(con, "ranking_check('run', 'qrels') ORDER BY ALL")]
    assert found == [("missing", 1), ("no_relevant", 1)]


@pytest.mark.slow
def test_ranking_check_finds_a_gap_below_every_cutoff(con: duckdb.DuckDBPyConnection) -> None:
    ranked(con, "('q', 'c', 1), ('q', 'b', 20)")
    assert rows(con, "recall_at_k('ranks', 'c', 1, rank := 'rank')") == [("recall", 1, 1.0, 1)]
    [(check, *_)] = rows(con, "ranking_check('ranks', 'c', rank := 'rank')")
    assert check == "ranks_gap"


@pytest.mark.parametrize(
    ("run", "qrels", "call", "expected"),
    [
        (  # a model without a judged query is an error, like a run without one
            "('m1', 'q1', 'a', 9), ('m2', 'z9', 'b', 8)",
            "('q1', 'a', 1), ('q2', 'b', 1)",
            "model := 'model'",
            "The run holds none of the queries of the qrels, for example model='m2'",
        ),
        (  # ids with blanks
            "('m', 'q1', 'Toy Story', 9), ('m', 'q1', 'Red Shoes', 8), ('m', 'q2', 'Big Fish', 7), ('m', 'q2', 'x', 8)",
            "('q1', 'Red Shoes', 1), ('q2', 'Big Fish', 1)",
            "k := 1",
            0.0,
        ),
        (  # a duplicate in a list that no metric reads
            "('m', 'q1', 'a', 8), ('m', 'q9', 'b', 8), ('m', 'q9', 'b', 8)",
            "('q1', 'a', 1)",
            "k := 1",
            1.0,
        ),
        ("('m', 'q1', 'a', 8), ('m', 'q1', 'b', 8)", "('q1', 'a b', 1)", "k := 1", "holds several ids in one text"),
        (  # most queries are not in the run
            "('m', 'q1', 'a', 8), ('m', 'q1', 'b', 8)",
            "('q1', 'a b', 1), ('q2', 'c d', 1), ('q3', 'e f', 1)",
            "k := 1",
            "holds several ids in one text",
        ),
        (  # the text of a list next to an item that is found
            "('m', 'q1', 'a', 8), ('m', 'q1', 'b', 8)",
            "('q1', 'a', 1), ('q1', '[\"b\", \"c\"]', 1)",
            "k := 1",
            "holds the text of a list in the qrels",
        ),
        (
            "('m', 'q1', '[1, 2]', 8), ('m', 'q2', '[3]', 8)",
            "('q1', '[1, 2]', 1), ('q2', '[3]', 1)",
            "k := 1",
            "holds the text of a list in the run",
        ),
    ],
)
def test_a_call_has_the_value_or_the_error_of_evaluate(
    con: duckdb.DuckDBPyConnection, run: str, qrels: str, call: str, expected: float | str
) -> None:
    con.execute(f"CREATE TABLE held AS FROM (VALUES {run}) AS given (model, query, item, score)")
    con.execute(f"CREATE TABLE judged_items AS FROM (VALUES {qrels}) AS given (query, item, relevance)")
    if "model :=" not in call:
        con.execute("ALTER TABLE held DROP model")
    question = f"SELECT value FROM recall_duckdb.recall_at_k('held', 'judged_items', {call})"
    if isinstance(expected, str):
        with pytest.raises(duckdb.InvalidInputException, match=re.escape(expected)):
            con.execute(question).fetchall()
    else:
        assert con.execute(question).fetchall() == [(expected,)]


def test_a_query_in_two_slices_is_an_error(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "ALTER TABLE qrels ADD COLUMN country VARCHAR DEFAULT 'DE'; INSERT INTO qrels VALUES ('q1', 'b', 1, 'US')"
    )
    message = (
        "A query has two values of column 'country', for example query='q1'. "
        "In by, name columns with one value per query."
    )
    con.execute("UPDATE qrels SET item = 'z' WHERE country = 'US'")
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        rows(con, "recall_at_k('run', 'qrels', 1, \"by\" := 'country')")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("ndcg_at_k('run', 'graded', gain := 'exponential')", "Column 'relevance' is 40 or more"),
        (
            "err_at_k('run', 'qrels', max_grade := 1)",
            "Column 'relevance' is above 1, the max_grade of a requested metric",
        ),
        ("recall_at_k('run', 'qrels', relevance := NULL, threshold := 2)", "No row of the qrels is relevant"),
    ],
)
def test_relevance_beyond_what_a_metric_takes_is_an_error(
    con: duckdb.DuckDBPyConnection, question: str, message: str
) -> None:
    con.execute("CREATE TABLE graded AS SELECT query, item, 50 AS relevance FROM qrels")
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        rows(con, question)


@pytest.mark.slow
def test_faults_of_rows_come_before_those_of_queries(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE models AS SELECT 'sound' AS model, * FROM run")
    con.execute("INSERT INTO models VALUES ('other', 'unknown', 'a', NULL)")
    with pytest.raises(duckdb.InvalidInputException, match=re.escape("Column 'score' is NULL or NaN")):
        rows(con, "recall_at_k('models', 'qrels', 1, model := 'model')")


@pytest.mark.slow
def test_a_slice_by_the_query_reads_the_query_of_the_qrels(con: duckdb.DuckDBPyConnection) -> None:
    """Column a of the qrels is another one. Query 2 is missing from the run."""
    con.execute("CREATE TABLE lists AS FROM (VALUES (1, 'x', 1.0)) AS t(a, item, score)")
    con.execute("CREATE TABLE judged AS FROM (VALUES (1, 'x', 1, 7), (2, 'x', 1, 7)) AS t(b, item, relevance, a)")
    rows = con.execute(
        "SELECT slice, value FROM recall_duckdb.recall_at_k"
        "('lists', 'judged', 1, query := 'a', qrels_query := 'b', \"by\" := 'A')"
    ).fetchall()
    assert rows == [(None, 0.5), (1, 1.0), (2, 0.0)]


def _current_data(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("USE memory")
    for table in ("run", "qrels"):
        con.execute(f"CREATE TABLE {table} AS SELECT 'q' AS query, 'a' AS item, 1 AS score, 1 AS relevance")


@pytest.mark.slow
def test_macros_of_another_database_are_called_with_a_search_path(tmp_path: Path) -> None:
    con = duckdb.connect().execute(f"ATTACH '{tmp_path}/tools.duckdb' AS tools; USE tools")
    install(con)
    _current_data(con)
    call = "recall_at_k('run', 'qrels', 1)"
    with pytest.raises(duckdb.CatalogException, match="Table Function with name _means does not exist"):
        con.execute(f"FROM tools.recall_duckdb.{call}")
    con.execute("SET search_path = 'memory.main,tools.recall_duckdb'")
    assert rows(con, call) == [("recall", 1, 1.0, 1)]
    assert con.execute(f"FROM tools.recall_duckdb.{call}").fetchall() == [("recall", 1, 1.0, 1)]


@pytest.mark.slow
def test_a_database_called_like_the_schema_serves_every_other_database(tmp_path: Path) -> None:
    con = duckdb.connect().execute(f"ATTACH '{tmp_path}/recall_duckdb.duckdb'; USE recall_duckdb")
    install(con)
    _current_data(con)
    con.execute("CREATE VIEW found AS FROM recall_duckdb.recall_at_k('run', 'qrels', 1)")
    assert rows(con, "recall_at_k('run', 'qrels', 1)") == [("recall", 1, 1.0, 1)]
    assert con.execute("FROM found").fetchall() == [("recall", 1, 1.0, 1)]


@pytest.mark.slow
def test_a_view_with_a_macro_is_read_from_another_database(tmp_path: Path) -> None:
    con = duckdb.connect().execute(f"ATTACH '{tmp_path}/tools.duckdb' AS tools")
    _current_data(con)
    con.execute("USE tools; CREATE TABLE run AS FROM memory.run; CREATE TABLE qrels AS FROM memory.qrels")
    install(con)
    con.execute("CREATE VIEW found AS FROM recall_duckdb.recall_at_k('run', 'qrels', 1); USE memory")
    assert con.execute("FROM tools.found").fetchall() == [("recall", 1, 1.0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "taken",
    [
        "CREATE TABLE _judged AS SELECT 1 AS _rank",
        "CREATE MACRO _judged(run) AS TABLE SELECT 1 AS _rank",
        "CREATE TEMP MACRO _judged(run) AS TABLE SELECT 1 AS _rank",
    ],
)
def test_the_name_of_the_helper_is_free_elsewhere(taken: str) -> None:
    con = duckdb.connect()
    install(con)
    _current_data(con)
    con.execute(taken)
    call = "FROM recall_duckdb.recall_at_k('run', 'qrels', 1)"
    assert con.execute(f"WITH _judged AS (SELECT 1 AS _rank) {call}").fetchall() == [("recall", 1, 1.0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["1, missing := (SELECT 'skip')", "1, missing := $1", "$1", "k := asked"])
def test_arguments_need_not_be_constants(argument: str) -> None:
    con = duckdb.connect()
    install(con)
    _current_data(con)
    values = {"1, missing := $1": ["skip"], "$1": [1]}.get(argument, [])
    text = f"SELECT value FROM (SELECT 1 AS asked), recall_duckdb.recall_at_k('run', 'qrels', {argument})"
    assert con.execute(text, values).fetchall() == [(1.0,)]


@pytest.mark.slow
def test_a_fault_of_the_run_is_reported_before_one_of_the_qrels() -> None:
    con = duckdb.connect()
    install(con)
    _current_data(con)
    con.execute("TRUNCATE run; TRUNCATE qrels")
    with pytest.raises(duckdb.Error, match="The run has no rows"):
        con.execute("FROM recall_duckdb.recall_at_k('run', 'qrels', 1)")
