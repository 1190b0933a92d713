"""The page about dbt is correct: a reader who follows its steps sees the output that it shows."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from folders import ROOT

PAGE = (ROOT / "docs" / "guide" / "dbt.md").read_text("utf-8")
STEPS = re.findall(r"(?:<!-- (\S+) -->\n)?```(\w+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.needs("dbt")
def test_every_step_of_the_page_works(tmp_path: Path, dbt_program: Path) -> None:
    (tmp_path / "recall_duckdb").symlink_to(ROOT)
    folder = tmp_path / "shop"
    said, shown = "", 0
    everything: list[str] = []
    [setup, *steps] = STEPS
    assert "pip install" in setup[2]
    for path, kind, text in steps:
        if path:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        elif kind == "bash":
            said = run(text, folder, dbt_program)
            everything.append(said)
        elif kind == "text":
            assert text in said
            shown += 1
        else:  # SQL for the reader's own model
            assert kind == "sql"
            (folder / "models" / "by_day.sql").write_text(
                "{{ config(materialized='incremental') }}\n" + text.replace("ref('", "ref('daily_"), "utf-8"
            )
            for name in ("recommendations", "purchases"):
                (folder / "models" / f"daily_{name}.sql").write_text(
                    f"SELECT *, DATE '2026-01-01' AS day FROM {{{{ ref('{name}') }}}}", "utf-8"
                )
            run("dbt run --select +by_day && dbt run --select by_day", folder, dbt_program)
    assert shown == 3
    [lower, worse] = [each for each in everything if "the test failed" in each]
    assert "FAIL 3 quality_is_no_lower" in lower
    assert "FAIL 1 recall_is_that_of_popular_items" in worse


def run(commands: str, folder: Path, program: Path) -> str:
    """Run commands, and return their output without colours."""
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "0",
        "DBT_USE_COLORS": "0",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        check=False,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
