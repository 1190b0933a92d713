"""The functions of lists: the value of one query from its ranked and its relevant items, equal to evaluate."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import duckdb
import pytest

from recall_duckdb import evaluate, install, uninstall
from recall_duckdb.definitions import templates
from recall_duckdb.macros.writing import supported_metrics

WITHOUT_FUNCTION = {"auc", "eleven_point", "ndcg_r", "ndcg_rel", "normalized_gain"}
FUNCTIONS = {each.name: f"{each.name}_at_k" if "k" in each.parameters else each.name for each in supported_metrics()}
# Options beyond the defaults, by metric.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "ap": [{"over": "capped"}, {"over": "hits"}, {"threshold": 2}],
    "dcg": [{"base": 10}, {"gain": "exponential"}],
    "err": [{"max_grade": 4}],
    "fbeta": [{"beta": 0.5}],
    "iprec": [{"recall": 0.2}],
    "ndcg": [{"gain": "exponential"}, {"gain": "binary", "threshold": 2}],
    "precision": [{"over": "retrieved"}],
    "rbp": [{"p": 0.5, "gain": "linear"}, {"gain": "scaled"}, {"over": "ideal"}],
    "recall": [{"threshold": 0.7}],
}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        install(connection)
        yield connection


def value(con: duckdb.DuckDBPyConnection, call: str) -> Any:
    [(found,)] = con.execute(f"SELECT recall_duckdb.{call}").fetchall()
    return found


def test_a_function_has_the_name_of_the_table_macro(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE run AS SELECT 1 AS query, unnest(['a', 'b']) AS item, unnest([2, 1]) AS score")
    con.execute("CREATE OR REPLACE TABLE qrels AS SELECT 1 AS query, 'b' AS item, 1 AS relevance")
    assert con.execute("FROM recall_duckdb.recall_at_k('run', 'qrels', 2)").fetchall() == [("recall", 2, 1.0, 1)]
    assert value(con, "recall_at_k(['a', 'b'], ['b'], 2)") == 1.0


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("recall_at_k(['a', 'b', 'c'], ['c', 'x'], 3)", 0.5),
        ("recall_at_k(['a', 'b', 'c'], ['c', 'x'], 2)", 0.0),
        ("recall_at_k(['a', 'b', 'c'], ['c', 'x'])", 0.5),
        ("recall_at_k(['a', 'b', 'c'], ['c', 'x'], NULL)", 0.5),
        ("recall_at_k([3, 1, 2], [1::BIGINT], 2.0)", 1.0),
        ("recall_at_k([3, 1]::INTEGER[2], [1], 2)", 1.0),
        ("rr_at_k(['a', 'b', 'c'], ['c', 'b'], 10)", 0.5),
        ("ap_at_k(['a', 'b', 'c'], ['c', 'b'], 10)", (1 / 2 + 2 / 3) / 2),
        ("precision_at_k(['a', 'b'], ['a'], 4)", 0.25),
        ("precision_at_k(['a', 'b'], ['a'], 4, over := 'retrieved')", 0.5),
        ("dcg_at_k(['a', 'b'], ['a', 'b'], 10, grades := [0, 3])", 3 * 0.6309297535714575),
        ("ndcg_at_k(['a', 'b'], ['a', 'b'], 10, grades := [0, 3])", 0.6309297535714575),
        ("ndcg_at_k(['a'], map_keys(MAP {'a': 2, 'b': 0}), grades := map_values(MAP {'a': 2, 'b': 0}))", 1.0),
        ("recall_at_k(['a'], ['a', 'b'], grades := [0.7::FLOAT, 0.6::FLOAT], threshold := 0.7)", 1.0),
        ("recall_at_k(['a'], ['a', 'b'], grades := [-1, 0])", 0.0),
        ("recall_at_k(['a'], ['a', 'b'], grades := [true, false])", 1.0),
        ("ndcg_at_k(['a', 'b'], ['a', 'b'], grades := [39, 39], gain := 'exponential')", 1.0),
        ("hits_at_k(['a', 'b'], ['b', 'a'], 1)", 1.0),
        ("num_ret(['a', 'b'], ['x'])", 2.0),
        # What is not judged is NULL, which avg leaves out. Nothing recommended and nothing relevant count 0.
        ("recall_at_k(['a'], NULL)", None),
        ("recall_at_k(['a', 'a'], NULL, grades := [1])", None),
        ("recall_at_k(NULL, NULL)", None),
        ("recall_at_k(NULL, ['a'])", 0.0),
        ("recall_at_k([], ['a'])", 0.0),
        ("recall_at_k(['a'], [])", 0.0),
        ("average_rank_at_k(['a'], ['b'])", None),
    ],
)
def test_a_call_returns_the_value(con: duckdb.DuckDBPyConnection, call: str, wanted: float | None) -> None:
    assert value(con, call) == (None if wanted is None else pytest.approx(wanted, abs=1e-12))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("recall_at_k(['a', 'b', 'a'], ['a'])", r"recommended: an item occurs twice among the first k.*\[a, b, a\]"),
        ("recall_at_k(['a', NULL], ['a'])", r"recommended: .*or is NULL: \[a, NULL\]"),
        ("partial_auc_at_k(['a', 'b', 'b'], ['a'], 1)", r"recommended: an item occurs twice, or.*\[a, b, b\]"),
        ("num_ret(['a', 'b', 'b'], ['a'])", r"recommended: an item occurs twice, or.*\[a, b, b\]"),
        ("recall_at_k(['a'], ['a', 'a'])", r"relevant: an item occurs twice.*FILTER \(item IS NOT NULL\): \[a, a\]"),
        ("recall_at_k(['a'], ['a', NULL])", r"relevant: .*or is NULL.*\[a, NULL\]"),
        ("recall_at_k(['a'], ['a'], 0)", "k: a whole number above 0 is expected, or NULL for the whole list, not 0"),
        ("recall_at_k(['a'], ['a'], 1.5)", "k: a whole number above 0 .*not 1.5"),
        ("recall_at_k(['a'], ['a'], 'nan'::DOUBLE)", "k: a whole number above 0 .*not nan"),
        ("recall_at_k(['a'], ['a'], 1e300)", r"k: a whole number above 0 .*The highest is 1000000000"),
        ("recall_at_k(['a'], ['a'], true)", "k: a whole number above 0 .*not true"),
        ("recall_at_k(['a'], ['a'], [1, 2])", r"k: a whole number above 0 .*not \[1, 2\]"),
        ("recall_at_k(['a'], ['a'], 'all')", "k: a whole number above 0 .*not all"),
        ("partial_auc_at_k(['a'], ['a'], NULL)", "k: this metric needs a cutoff"),
        ("recall_at_k(['a'], ['a'], threshold := 0)", "threshold: a number above 0 is expected, not 0"),
        ("recall_at_k(['a'], ['a'], threshold := 'nan'::DOUBLE)", "threshold: a number above 0 is expected, not nan"),
        ("recall_at_k(['a'], ['a'], threshold := true)", "threshold: a number above 0 is expected, not true"),
        ("ndcg_at_k(['a'], ['a'], grades := [1, 2])", r"grades: one number is expected for each .*\[1, 2\]"),
        ("ndcg_at_k(['a'], ['a'], grades := [NULL])", r"grades: one number .*\[NULL\]"),
        ("ndcg_at_k(['a'], ['a'], grades := ['nan'::DOUBLE])", r"grades: one number .*\[nan\]"),
        ("ndcg_at_k(['a'], ['a'], grades := [1e12])", "grades: 1000000000000.0 is too large"),
        ("ndcg_at_k(['a'], ['a'], grades := [40], gain := 'exponential')", "grades: 40 is too large"),
        ("ndcg_at_k(['a'], ['a'], gain := 'cubic')", "gain: linear, exponential or binary is expected, not cubic"),
        ("rbp_at_k(['a'], ['a'], p := 1)", "p: a number above 0 and below 1 is expected, not 1"),
        ("err_at_k(['a'], ['a'], grades := [9])", "grades: 9 is above max_grade"),
        ("recall_at_k([1], ['a'])", "VARCHAR"),
        ("recall_at_k([1], [1.0])", r"recommended and relevant differ in type: INTEGER\[\] and DECIMAL\(2,1\)\[\]"),
        ("recall_at_k([1::BIGINT], [1::DOUBLE])", r"differ in type: BIGINT\[\] and DOUBLE\[\]"),
    ],
)  # fmt: skip
def test_a_mistake_is_an_error(con: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message):
        value(con, call)


def test_an_item_twice_below_the_cutoff_is_not_read(con: duckdb.DuckDBPyConnection) -> None:
    assert value(con, "recall_at_k(['a', 'b', 'b'], ['a'], 2)") == 1.0


@pytest.mark.parametrize("order", ["ASC", "DESC"])
@pytest.mark.parametrize("nulls", ["NULLS_FIRST", "NULLS_LAST"])
def test_the_default_order_of_the_database_does_not_matter(order: str, nulls: str) -> None:
    with duckdb.connect(config={"default_order": order, "default_null_order": nulls}) as connection:
        install(connection)
        assert value(connection, "recall_at_k(['a', 'b', 'c'], ['b', 'c', 'x'], 2)") == pytest.approx(1 / 3)
        assert value(connection, "rr_at_k(['a', 'b', 'c'], ['b', 'c', 'x'], 2)") == 0.5
        call = "ndcg_at_k(['a', 'b', 'c'], ['b', 'c', 'x'], grades := [1, 3, 2])"
        assert value(connection, call) == pytest.approx((0.6309297535714575 + 1.5) / (3 + 2 * 0.6309297535714575 + 0.5))


def test_lists_and_the_cutoff_may_be_parameters(con: duckdb.DuckDBPyConnection) -> None:
    text = "SELECT recall_duckdb.recall_at_k($1, $2, $3)"
    assert con.execute(text, [["a", "b"], ["b"], 1]).fetchall() == [(0.0,)]


def test_a_mean_of_each_day_and_a_rolling_mean(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE visits AS FROM (VALUES
          (1, ['a', 'b'], ['a']), (1, ['a', 'b'], ['x']), (2, ['b', 'a'], ['b']), (2, NULL, NULL), (3, [], ['b'])
        ) AS given (day, recommended, bought)
    """)
    of_days = "SELECT day, avg(recall_duckdb.recall_at_k(recommended, bought, 1)) AS recall FROM visits GROUP BY day"
    assert con.execute(f"{of_days} ORDER BY day").fetchall() == [(1, 0.5), (2, 1.0), (3, 0.0)]
    rolling = f"SELECT day, avg(recall) OVER (ORDER BY day ROWS 1 PRECEDING) FROM ({of_days}) ORDER BY day"
    assert con.execute(rolling).fetchall() == [(1, 0.5), (2, 0.75), (3, 0.5)]


def test_lists_may_be_aggregates_and_the_cutoff_a_column(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE shown AS FROM (VALUES ('u', 'a', 1), ('u', 'b', 2), ('v', 'b', 1))
        AS given ("user", item, place)
    """)
    text = """
        SELECT "user", k, recall_duckdb.recall_at_k(list(item ORDER BY place), ['b'], k)
        FROM shown CROSS JOIN (VALUES (1), (2)) AS cutoffs (k) GROUP BY "user", k ORDER BY "user", k
    """
    assert con.execute(text).fetchall() == [("u", 1, 0.0), ("u", 2, 1.0), ("v", 1, 1.0), ("v", 2, 1.0)]


@pytest.mark.parametrize("names", [("item", "place"), ("_q", "_rows"), ("_row", "grade"), ("relevant", "recommended")])
def test_columns_may_have_the_names_that_a_function_uses(
    con: duckdb.DuckDBPyConnection, names: tuple[str, str]
) -> None:
    lists = f'SELECT [1, 2] AS "{names[0]}", [2] AS "{names[1]}"'
    call = f'recall_duckdb.ndcg_at_k("{names[0]}", "{names[1]}", 2, grades := "{names[1]}")'
    assert con.execute(f"SELECT {call} FROM ({lists})").fetchall() == [(pytest.approx(0.6309297535714575, abs=1e-12),)]


def test_each_metric_of_the_judged_items_has_a_function() -> None:
    macros = {name for name, template in templates.own_metrics().items() if "judged" in template.reads}
    functions = {template.name for template in supported_metrics()}
    assert functions == macros - WITHOUT_FUNCTION
    assert "recall" in functions


@pytest.mark.nightly
@pytest.mark.parametrize("metric", FUNCTIONS)
def test_values_equal_those_of_evaluate(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """Random lists of text or numbers, with grades, also without anything recommended; cutoffs, and options."""
    random = Random(f"lists {metric}")
    function = FUNCTIONS[metric]
    for options in [{}, *OPTIONS.get(metric, [])]:
        kind = random.choice(["VARCHAR", "BIGINT", "UUID"])
        grades = random.choice(["DOUBLE", "INTEGER", "FLOAT"])
        con.execute(
            f"CREATE OR REPLACE TABLE lists (query INT, recommended {kind}[], judged {kind}[], grades {grades}[])"
        )
        con.executemany("INSERT INTO lists VALUES (?, ?, ?, ?)", list(random_lists(random, kind, grades)))
        con.execute("""
            CREATE OR REPLACE TABLE run AS SELECT query, recommended AS item FROM lists WHERE len(recommended) > 0;
            CREATE OR REPLACE TABLE qrels AS
            SELECT query, unnest(judged) AS item, unnest(grades) AS relevance FROM lists
        """)
        k = random.choice([1, 3, 10]) if metric == "partial_auc" else random.choice([1, 3, 10, None])
        has_k = function.endswith("_at_k")
        written = ",".join(f"{name}={option}" for name, option in options.items())
        name = f"{metric}({written})" if options else metric
        result = evaluate("run", "qrels", f"{name}@{k}" if has_k and k else name, connection=con)
        wanted = values(result)
        arguments = {"grades": "grades", **({"k": "NULL" if k is None else k} if has_k else {})}
        arguments |= {name: f"'{option}'" if isinstance(option, str) else option for name, option in options.items()}
        given = ", ".join(f"{name} := {argument}" for name, argument in arguments.items())
        call = f"recall_duckdb.{function}(recommended, judged, {given})"
        found = dict(con.execute(f"SELECT query, {call} FROM lists").fetchall())
        assert found == wanted


def values(result: Any) -> dict[int, Any]:
    """Return the value of each query, to 1e-12."""
    rows = result.per_query
    place = rows.columns.index("query")
    numbers = {row[place]: row[-1] for row in rows.fetchall()}
    return {query: None if x is None else pytest.approx(x, rel=1e-12, abs=1e-12) for query, x in numbers.items()}


def random_lists(random: Random, kind: str, grades: str) -> Iterator[tuple[int, list[Any], list[Any], list[float]]]:
    """Yield a query with its ranked items, its judged items and their grades."""
    pool = [
        f"0000000a-0000-0000-0000-{n:012d}" if kind == "UUID" else n - 5 if kind == "BIGINT" else f"i{n}"
        for n in range(40)
    ]
    levels = [-1, 0, 1, 2, 3] if grades == "INTEGER" else [-1, 0, 0.5, 0.7, 1, 2, 3.5]
    for query in range(25):
        judged = random.sample(pool, random.choice([1, 2, 5, 12]))
        yield (
            query,
            random.sample(pool, random.choice([0, 1, 3, 10, 25])),
            judged,
            [1 if query == 0 else random.choice(levels) for _ in judged],
        )


@pytest.mark.slow
def test_an_empty_truth_has_the_values_of_evaluate(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE run AS SELECT * FROM (VALUES (1, ['a', 'b']), (2, ['a', 'c'])) AS t (query, item)"
    )
    con.execute("CREATE OR REPLACE TABLE qrels AS SELECT * FROM (VALUES (1, []), (2, ['a', 'd'])) AS t (query, item)")
    for metric, function in FUNCTIONS.items():
        name = f"{metric}@2" if function.endswith("_at_k") else metric
        wanted = values(evaluate("run", "qrels", name, relevance=None, connection=con))
        k = ", k := 2" if function.endswith("_at_k") else ""
        call = f"recall_duckdb.{function}(run.item, qrels.item{k})"
        found = dict(con.execute(f"SELECT query, {call} FROM run JOIN qrels USING (query)").fetchall())
        assert found == wanted, metric


@pytest.mark.slow
@pytest.mark.parametrize("database", [":memory:", "recall_duckdb.db"])
def test_uninstall_removes_the_functions(tmp_path: Any, database: str) -> None:
    path = database if database == ":memory:" else str(tmp_path / database)
    with duckdb.connect(path) as connection:
        install(connection)
        install(connection)  # replaces them
        assert value(connection, "recall_at_k(['a'], ['a'])") == 1.0
        uninstall(connection)
        left = "SELECT count(*) FROM duckdb_functions() WHERE function_name IN ('recall_at_k', '_of_lists')"
        assert connection.execute(left).fetchall() == [(0,)]
