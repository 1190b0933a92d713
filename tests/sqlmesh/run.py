"""Plan and run the project in the working directory with SQLMesh, and print the outcome as JSON.

It runs in a separate environment, because SQLMesh needs other versions of duckdb and sqlglot.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from sqlglot import parse_one
from sqlmesh.core.console import NoopConsole, set_console
from sqlmesh.core.context import Context
from sqlmesh.core.dialect import normalize_and_quote, parse
from sqlmesh.core.model import load_sql_based_model

import recall_duckdb

DIALECTS = ("bigquery", "clickhouse", "postgres", "snowflake", "tsql")


def rows(context: Context, name: str) -> dict[str, Any]:
    cursor = context.engine_adapter.cursor
    cursor.execute(f"SELECT * FROM {name}")
    names = [column[0] for column in cursor.description]
    return {"columns": names, "rows": [list(row) for row in cursor.fetchall()]}


def written(dialect: str, asked: dict[str, Any]) -> list[str]:
    """Return the statement of a model in a dialect and that of `sql`, both with names quoted as SQLMesh does."""
    model = Path("models/quality_by_user.sql").read_text("utf-8")
    found = load_sql_based_model(parse(model, default_dialect=dialect), dialect=dialect).render_query()
    ours = parse_one(recall_duckdb.sql(**asked, dialect=dialect, form="view", name="ours"), read=dialect).expression
    with normalize_and_quote(ours, dialect, None):
        pass
    return [found.sql(dialect, comments=False), ours.sql(dialect, comments=False)]


set_console(NoopConsole())
context = Context(paths=".")
context.plan(auto_apply=True, no_prompts=True, execution_time="2024-05-03")
planned = rows(context, "shop.quality_by_day")
context.run(execution_time="2024-05-05", ignore_cron=True)
context.plan("dev", auto_apply=True, no_prompts=True, include_unmodified=True, execution_time="2024-05-05")
models = {model.name: model for model in context.models.values()}
shutil.rmtree(".cache")
json.dump(
    {
        "planned": planned,
        "tables": {name: rows(context, name) for name in models},
        "dev": rows(context, "shop__dev.quality"),
        "depends_on": {name: sorted(model.depends_on) for name, model in models.items()},
        "physical": context.render("shop.quality").sql("duckdb"),
        "written": {dialect: written(dialect, json.loads(sys.argv[1])) for dialect in DIALECTS},
        "again": sorted(model.name for model in Context(paths=".").models.values()),
    },
    sys.stdout,
    default=str,
)
