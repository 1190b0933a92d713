"""Filling in a template: parameters fold conditions, and stand-in columns repeat expressions."""

from __future__ import annotations

import pytest
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.trees import Column, Value


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("SELECT a FROM t WHERE rank BETWEEN 1 AND coalesce($k, rank)", {"k": 10},
         "SELECT a FROM t WHERE rank BETWEEN 1 AND 10"),
        ("SELECT a FROM t WHERE rank BETWEEN 1 AND coalesce($k, rank)", {"k": None},
         "SELECT a FROM t WHERE rank BETWEEN 1 AND rank"),
        ("SELECT a FROM t WHERE $k IS NULL OR rank <= $k", {"k": None}, "SELECT a FROM t"),
        ("SELECT a FROM t WHERE $k IS NULL OR rank <= $k", {"k": 3}, "SELECT a FROM t WHERE rank <= 3"),
        ("SELECT a FROM t QUALIFY $k IS NULL OR rank <= $k", {"k": None}, "SELECT a FROM t"),
        ("SELECT a FROM t WHERE x > 0 AND ($k IS NULL OR x >= $k)", {"k": 3}, "SELECT a FROM t WHERE x > 0 AND x >= 3"),
        ("SELECT a FROM t WHERE x > 0 AND ($k IS NULL OR x >= $k)", {"k": None}, "SELECT a FROM t WHERE x > 0"),
        ("SELECT CASE WHEN $p = 'skip' AND x = 0 THEN NULL ELSE y END AS y FROM t", {"p": "skip"},
         "SELECT CASE WHEN x = 0 THEN NULL ELSE y END AS y FROM t"),
        ("SELECT CASE WHEN $p = 'skip' AND x = 0 THEN NULL ELSE y END AS y FROM t", {"p": "zero"},
         "SELECT y AS y FROM t"),
        ("SELECT CASE WHEN x = 1 THEN 1 WHEN $p = 'a' THEN 2 WHEN x = 3 THEN 3 END AS y FROM t", {"p": "a"},
         "SELECT CASE WHEN x = 1 THEN 1 ELSE 2 END AS y FROM t"),
        ("SELECT a FROM t ORDER BY CASE WHEN $p = 'last' AND s IS NULL THEN 1 ELSE 0 END, s", {"p": "drop"},
         "SELECT a FROM t ORDER BY s"),
        ("SELECT 2 * coalesce($k, x + 1) AS y FROM t", {"k": None}, "SELECT 2 * (x + 1) AS y FROM t"),
        ("SELECT a FROM t WHERE x AND CASE WHEN $p THEN y OR z END", {"p": True},
         "SELECT a FROM t WHERE x AND (y OR z)"),
        ("SELECT CASE WHEN $k = 3 THEN x ELSE y END AS z FROM t", {"k": None},
         "SELECT CASE WHEN NULL THEN x ELSE y END AS z FROM t"),
        ("SELECT a FROM t WHERE NOT ($k = 3)", {"k": None}, "SELECT a FROM t WHERE NOT NULL"),
        ("SELECT coalesce($k) AS y FROM t", {"k": None}, "SELECT NULL AS y FROM t"),
        ("SELECT coalesce($k, x, z) AS y FROM t", {"k": None}, "SELECT coalesce(x, z) AS y FROM t"),
        ("SELECT a FROM t WHERE NOT ($p <> 'a' OR x = 1)", {"p": "a"}, "SELECT a FROM t WHERE NOT (x = 1)"),
    ],
)  # fmt: skip
def test_a_parameter_becomes_a_literal_and_folds_conditions(
    template: str, values: dict[str, Value], expected: str
) -> None:
    tree = trees.parse(template)
    trees.bind(tree, values)
    assert tree.sql(dialect="duckdb").replace("COALESCE", "coalesce") == expected


TWO: list[trees.Copy] = [({"key": "key_1"}, {}), ({"key": "key_2"}, {})]


@pytest.mark.parametrize(
    ("template", "two", "none"),
    [
        ("SELECT key AS key, x FROM t", "SELECT key_1 AS key_1, key_2 AS key_2, x FROM t", "SELECT x FROM t"),
        ("SELECT x FROM t GROUP BY x, key", "SELECT x FROM t GROUP BY x, key_1, key_2", "SELECT x FROM t GROUP BY x"),
        ("SELECT max(x) AS x FROM t GROUP BY key", "SELECT MAX(x) AS x FROM t GROUP BY key_1, key_2",
         "SELECT MAX(x) AS x FROM t"),
        ("SELECT x FROM a LEFT JOIN b USING (key)", "SELECT x FROM a LEFT JOIN b USING (key_1, key_2)",
         "SELECT x FROM a CROSS JOIN b"),
        ("SELECT x FROM t ORDER BY key ASC, x", "SELECT x FROM t ORDER BY key_1 ASC, key_2 ASC, x",
         "SELECT x FROM t ORDER BY x"),
        ("SELECT x FROM t WHERE NOT (key IS NOT NULL AND x > 0)",
         "SELECT x FROM t WHERE NOT (NOT key_1 IS NULL AND NOT key_2 IS NULL AND x > 0)",
         "SELECT x FROM t WHERE NOT (x > 0)"),
        ("SELECT x FROM t GROUP BY x HAVING NOT (min(key) = max(key))",
         "SELECT x FROM t GROUP BY x HAVING NOT (MIN(key_1) = MAX(key_1) AND MIN(key_2) = MAX(key_2))", None),
        ("SELECT CASE WHEN y = 1 THEN key END AS key FROM t",
         "SELECT CASE WHEN y = 1 THEN key_1 END AS key_1, CASE WHEN y = 1 THEN key_2 END AS key_2 FROM t", None),
        ("SELECT CASE no WHEN 1 THEN key END AS x FROM t",
         "SELECT CASE no WHEN 1 THEN key_1 WHEN 1 THEN key_2 END AS x FROM t", None),
    ],
)  # fmt: skip
def test_the_expression_around_a_stand_in_column_is_repeated(template: str, two: str, none: str | None) -> None:
    tree = trees.parse(template)
    trees.repeat(tree, {"key": TWO})
    assert tree.sql(dialect="duckdb") == two
    if none is not None:
        tree = trees.parse(template)
        trees.repeat(tree, {"key": []})
        assert tree.sql(dialect="duckdb") == none


def test_text_that_looks_like_sql_stays_text() -> None:
    tree = trees.parse("SELECT $name AS x FROM t")
    trees.bind(tree, {"name": "'; DROP TABLE t; --"})
    assert tree.sql(dialect="duckdb") == "SELECT '''; DROP TABLE t; --' AS x FROM t"


def test_a_parameter_is_found_anywhere() -> None:
    tree = trees.parse("SELECT t.* REPLACE (a + $k AS a), CAST(a AS DECIMAL(18, $p)) AS b FROM t WHERE a[$i] > 0")
    assert trees.parameters(tree) == {"k", "p", "i"}
    trees.bind(tree, {"k": 1, "p": 2, "i": 3})
    assert tree.sql("duckdb") == "SELECT t.* REPLACE (a + 1 AS a), CAST(a AS DECIMAL(18, 2)) AS b FROM t WHERE a[3] > 0"


EVERY_RELATION = [template for variants in templates.relations().values() for template in variants.values()]


def test_every_tree_is_walked_like_sqlglot() -> None:
    for tree in [template.tree() for template in EVERY_RELATION]:
        for kinds in ((exp.Expression,), (exp.Table,), (exp.Column, exp.Identifier)):
            found = trees.find(tree, *kinds)
            assert [id(node) for node in found] == [id(node) for node in tree.find_all(*kinds)]


STAND_INS = {"model", "query", "query_weight", "slice", "level_slice", "relevant", "relevant_items"}
STAND_INS |= {"raw", "value", "value_mean", "value_queries"}


def test_no_repeated_expression_reads_a_relation() -> None:
    """Reads are counted before repetition to compute a relation with two reads once; repeats would be missed."""
    reading = []
    for template in [*EVERY_RELATION, *templates.checks().values()]:
        for node in trees.find(template.tree(), exp.Column, exp.Identifier):
            is_column = isinstance(node, exp.Column) and not node.table
            if node.name in STAND_INS and (is_column or isinstance(node.parent, exp.Join)):
                reading += [(template.path, node.name)] * bool(trees.find(trees.element(node), exp.Table))
    assert reading == []


def test_a_column_is_replaced_only_if_it_has_no_table() -> None:
    tree = trees.parse("SELECT a + t.a + max(a) AS a FROM t")
    column = Column(trees.parse("SELECT a * 2 AS x FROM t").expressions[0].this, "b")
    trees.repeat(tree, {"a": [({"a": column}, {}), ({"a": "c"}, {})]})
    assert tree.sql() == "SELECT a * 2 + t.a + MAX(a * 2) AS b, c + t.a + MAX(c) AS c FROM t"
    assert column.expression.sql() == "a * 2"
