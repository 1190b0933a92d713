"""`recall-duckdb demo` writes the files that the README and Getting started read; these show the tables."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from asking import Output, Patch, error_of, output_of

from recall_duckdb import evaluate


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_personal_lists_are_better_and_worse_for_new_users_by_the_commands_that_it_prints(capsys: Output) -> None:
    printed = subprocess.check_output([sys.executable, "-m", "recall_duckdb", "demo", "my films"], text=True)
    first, *others = re.findall("^  ((?:.* -m recall_duckdb|recall-duckdb) (.*))$", printed, re.MULTILINE)
    better = subprocess.check_output(["bash", "-c", first[0]], text=True)
    slices, decision = (output_of(capsys, *shlex.split(arguments)) for _, arguments in others)
    assert "personal: 400 queries judged, 368 retrieved; 32 missing from the run, counted as 0" in better.splitlines()
    assert re.findall(r"^(\w+) +ndcg@10 .*(0\.\d{4})  (0\.\d{4})  .* ([▲▼])", slices, re.MULTILINE) == [
        *(("all", "0.2784", "0.3255", "▲"), ("frequent", "0.2475", "0.3697", "▲")),
        *(("new", "0.3126", "0.1736", "▼"), ("regular", "0.2773", "0.3743", "▲")),
    ]
    assert decision.startswith("Ship personal instead of popular, but not for segment=new. ndcg@10 is 0.3255 instead ")
    assert "The Quiet Mountain" in Path("report.html").read_text("utf-8")


def test_every_format_gives_the_same_values(capsys: Output) -> None:
    output_of(capsys, "demo")
    table = evaluate("demo/personal.parquet", "demo/watched.parquet", "recall@10", query="user_id", item="film_id")
    trec = evaluate("demo/personal.trec", "demo/watched.qrels", "recall@10")
    json = evaluate("demo/personal.jsonl", None, query="user_id", item="retrieved.film_id", qrels_item="watched")
    results = table, trec, json
    values = [sorted((str(query), value) for *_, query, value in each.per_query.fetchall()) for each in results]
    assert values[0] == values[1] == values[2]


def test_it_overwrites_no_other_file(capsys: Output) -> None:
    printed = output_of(capsys, "demo")
    duckdb.execute("CREATE TABLE films AS FROM 'demo/films.parquet'; COPY films TO 'demo/films.parquet' (CODEC zstd)")
    assert output_of(capsys, "demo") == printed  # another DuckDB may have written the file
    for name in ("watched.parquet", "notes.txt"):
        path = Path("demo", name)
        path.write_text("mine")
        assert f"duckdb: FOLDER: '{path}' is not a file of the demo. Delete it, or" in error_of(capsys, "demo")
        assert path.read_text() == "mine"
        path.unlink()
    assert "FOLDER: cannot write 'demo/films.parquet': File exists" in error_of(capsys, "demo", "demo/films.parquet")
