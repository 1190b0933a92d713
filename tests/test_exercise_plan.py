"""A contributor adds a fast plan: its SQL in sql/duckdb, its rule in recall_duckdb/fast. No other module changes."""

from __future__ import annotations

from pathlib import Path

from copied import ROOT, Copied

from recall_duckdb import templates

SUMMED = """-- The models that the run holds, by a sum.
--
-- Grain:  one row per model; one row in all for a run without a model column.
-- Params: none.
-- Plan:   instead of models, for every run that is not small.
SELECT
  model,
  CAST(sum(1) AS BIGINT) AS run_queries
FROM retrieved
GROUP BY model
"""
EVALUATED = """
import duckdb
from recall_duckdb import evaluate, fast
from recall_duckdb.compose import Statement
from recall_duckdb.dialects import executable
from recall_duckdb.engines import DuckDB
from recall_duckdb.evaluation import planned
from recall_duckdb.question import EvaluateQuestion

connection = duckdb.connect()
run = "SELECT i // 50 AS query, 'd' || i % 50 AS item, hash(i) AS score FROM range({rows}) AS t (i)"
qrels = "SELECT i // 5 AS query, 'd' || i % 5 AS item, 1 AS relevance FROM range(999) AS t (i)"
connection.execute("CREATE TABLE run AS " + run)
connection.execute("CREATE TABLE qrels AS " + qrels)
plan = planned(EvaluateQuestion("run", "qrels", "recall@10", connection=connection), DuckDB(connection))
chosen = fast.choose(plan, DuckDB(connection))
text = executable(Statement(chosen).of_table("per_query"))
answer = ["SUM(1)" in text.upper(), evaluate("run", "qrels", "recall@10", connection=connection).to_dicts()]
"""


def test_a_fast_plan_is_one_sql_file_and_its_rule(tmp_path: Path) -> None:
    copied = Copied(tmp_path)
    before = {rows: copied.answer(EVALUATED.format(rows=rows)) for rows in (5_000, 150_000)}
    assert [is_summed for is_summed, _ in before.values()] == [False, False]

    (tmp_path / "sql" / "duckdb" / "models").mkdir()
    copied.write("sql/duckdb/models/summed.sql", SUMMED)
    forms, rule = "recall_duckdb/fast/forms.py", "recall_duckdb/fast/choose.py"
    field = "    part: Part = WHOLE\n\n    @property\n    def lists"
    copied.replace(forms, field, field.replace("WHOLE\n", "WHOLE\n    summed: bool = False\n"))
    variant = '            variants["judged"] = "apart"\n'
    copied.replace(forms, variant, f'{variant}        if self.summed:\n            variants["models"] = "summed"\n')
    copied.replace(rule, "parts, too_many))", "parts, too_many, summed=True))")
    assert copied.changed() == {"sql/duckdb/models/summed.sql", forms, rule}

    after = {rows: copied.answer(EVALUATED.format(rows=rows)) for rows in before}
    assert [is_summed for is_summed, _ in after.values()] == [False, True]  # small runs take no plan
    assert [means for _, means in after.values()] == [means for _, means in before.values()]


def test_neither_the_composer_nor_the_checks_know_of_fast_plans() -> None:
    modules = [*(ROOT / "recall_duckdb" / "compose").glob("*.py"), ROOT / "recall_duckdb" / "checking.py"]
    relations = templates.relations().items()
    named = [name for name, files in relations if {file.stage for file in files.values()} == {templates.DUCKDB}]
    assert len(named) > 10
    for path in modules:
        text = path.read_text()
        assert "recall_duckdb.fast" not in text
        assert [name for name in named if f'"{name}"' in text] == []
