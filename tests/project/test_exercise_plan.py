"""To add a fast plan, a contributor adds its SQL, its rule and the rule's place in the order. The rest is generic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from copied import Copied
from folders import ROOT

from recall_duckdb.definitions import templates

SQL = """\
-- The number of queries in the training data.
--
-- Grain:  one row.
-- Params: none.
-- Plan:   counts queries of one column without a row for each.
SELECT count(DISTINCT query) AS training_queries
FROM training
"""
RULE = '''\
"""Count the queries of the training data without a row for each."""

from recall_duckdb.fast.base import Facts, FastPlan
from recall_duckdb.compose import Replacements


class DistinctQueries(FastPlan):
    """The number of different queries."""

    def replacements(self) -> Replacements:
        """Return the file that counts them."""
        return Replacements(variants={"training_size": "distinct"})


def choose(facts: Facts) -> FastPlan | None:
    """Use it if queries are one column."""
    plan = facts.plan
    return DistinctQueries() if plan.has("training") and len(plan.inputs.query) == 1 else None
'''
# The means of evaluate, the means by the SQL of its result, all statements that it runs, and the SQL for Postgres.
EVALUATED = """
import duckdb
from recall_duckdb import evaluate, sql
from recall_duckdb.engines import DuckDB

executed, execute = [], DuckDB.execute
def recorded(session, statement, *parameters):
    executed.append(statement.sql("duckdb"))
    return execute(session, statement, *parameters)
DuckDB.execute = recorded

connection = duckdb.connect()
connection.execute('''
    CREATE TABLE run AS SELECT i // 50 AS query, i % 50 AS item, i * 7919 % 1000 AS score FROM range(120000) AS t (i);
    CREATE TABLE qrels AS SELECT i // 5 AS query, i % 5 * 9 AS item, 1 AS relevance FROM range(12000) AS t (i);
    CREATE TABLE training AS SELECT i % 70 AS query, i % 50 AS item FROM range(900) AS t (i);
''')
asked = {"metrics": ["novelty@5", "recall@5"], "training": "training"}
result = evaluate("run", "qrels", connection=connection, **asked)
answer = {
    "means": [row["value"] for row in result.to_dicts()],
    "by definition": [row[3] for row in connection.execute(result.sql).fetchall()],
    "executed": executed,
    "postgres": sql("run", "qrels", dialect="postgres", **asked),
}
"""
COUNT = "COUNT(DISTINCT query)"


def test_a_fast_plan_is_its_sql_and_its_rule(tmp_path: Path) -> None:
    copied = Copied(tmp_path)
    before: dict[str, Any] = copied.answer(EVALUATED)
    assert not any(COUNT in statement for statement in before["executed"])

    copied.write("sql/duckdb/training_size/distinct.sql", SQL)
    copied.write("recall_duckdb/fast/training_size.py", RULE)
    choosing = "recall_duckdb/fast/choosing.py"
    copied.replace(choosing, "packed_lists, score_cutoffs\n", "packed_lists, score_cutoffs, training_size\n")
    copied.replace(choosing, "    score_cutoffs.choose,\n)", "    score_cutoffs.choose,\n    training_size.choose,\n)")
    assert copied.changed() == {
        "sql/duckdb/training_size/distinct.sql",
        "recall_duckdb/fast/training_size.py",
        choosing,
    }

    after = copied.answer(EVALUATED)
    assert sum(COUNT in statement for statement in after["executed"]) == 1
    assert after["means"] == before["means"] == after["by definition"]
    assert after["postgres"] == before["postgres"]


def test_the_composer_and_the_checks_do_not_name_fast_plans() -> None:
    modules = [*(ROOT / "recall_duckdb" / "compose").glob("*.py"), ROOT / "recall_duckdb" / "checking.py"]
    relations = templates.relations().items()
    named = [name for name, files in relations if {file.stage for file in files.values()} <= {*templates.PLANS}]
    assert len(named) > 10
    for path in modules:
        text = path.read_text()
        assert "recall_duckdb.fast" not in text
        assert [name for name in named if f'"{name}"' in text] == []
