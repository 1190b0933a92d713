"""Tables and texts fit the width of the terminal, and are one line a row in a pipe."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from asking import Patch

from recall_duckdb import evaluate
from recall_duckdb.cli import main
from recall_duckdb.report import Table

QRELS = "query,item,relevance\n1,a,1\n2,b,1\n3,c,1\n"
GOOD = "query,item,score\n1,a,1\n2,b,1\n3,x,1\n"
BAD = "query,item,score\n1,a,1\n2,x,1\n3,y,1\n"


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Ten runs with long names and their qrels, as arguments of `evaluate`; every second run is better."""
    (tmp_path / "qrels.csv").write_text(QRELS)
    paths = [tmp_path / f"long_model_{number}.csv" for number in range(10)]
    for number, path in enumerate(paths):
        path.write_text(GOOD if number % 2 else BAD)
    return [*map(str, paths), "--qrels", str(tmp_path / "qrels.csv")]


def at_width(columns: int, *arguments: str) -> list[str]:
    """Run a command with standard output on a terminal of this width, and return the lines that it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    shown = bytearray()

    def read() -> None:
        with suppress(OSError):  # the other side is closed
            while chunk := os.read(ours, 4096):
                shown.extend(chunk)

    reader = Thread(target=read)  # a full terminal blocks its writer
    reader.start()
    with Patch.context() as patch, os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        patch.delenv("COLUMNS", raising=False)
        for name in ("stdout", "__stdout__"):
            patch.setattr(sys, name, terminal)
        assert main([*arguments]) == 0
    reader.join()
    os.close(ours)
    return shown.decode().splitlines()


def test_relevant_rows_are_marked(runs: list[str]) -> None:
    assert at_width(80, "explain", "1", runs[0], *runs[-2:]) == [
        "model         item  relevance  rank",
        "------------  ----  ---------  ----",
        "long_model_0  a         1.0 ✓     1",
    ]


def test_many_models_are_rows(runs: list[str]) -> None:
    assert at_width(80, "evaluate", *runs, "-m", "recall@10", "-m", "rr")[:13] == [
        "model         recall@10      rr",
        "------------  ---------  ------",
        *(f"long_model_{number}     {value}  {value}" for number, value in enumerate(["0.3333", "0.6667"] * 5)),
        "all 10 models: 3 queries judged, 3 retrieved",
    ]


@pytest.mark.slow
def test_slices_show_their_number_of_queries(runs: list[str], tmp_path: Path) -> None:
    (tmp_path / "qrels.csv").write_text("query,item,relevance,country\n1,a,1,NL\n2,b,1,BE\n3,c,1,NL\n")
    first, second, *others = runs
    asked = [first, second, *others[-2:], "-m", "rr", "--by", "country"]
    assert at_width(80, "evaluate", *asked)[:5] == [
        "country  metric  queries  long_model_0  long_model_1",
        "-------  ------  -------  ------------  ------------",
        "all      rr            3        0.3333        0.6667",
        "BE       rr            1        0.0000        1.0000",
        "NL       rr            2        0.5000        0.5000",
    ]
    many = at_width(80, "evaluate", *runs, "-m", "rr", "--by", "country")
    assert many[2] == "all      long_model_0        3  0.3333"
    assert max(map(len, many)) <= 80


def test_models_and_metrics_may_count_different_queries() -> None:
    judged = {"query": [1, 2], "item": ["a", "b"], "relevance": [1, 1], "country": ["NL", "NL"]}
    run = {"query": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0]}
    short = {"query": [1], "item": ["a"], "score": [1.0]}
    result = evaluate({"run": run, "short": short}, judged, "rr", by="country", missing="skip")
    assert result.to_markdown().splitlines()[:3] == [
        "| country | metric | queries | run | short |",
        "| :-- | :-- | --: | --: | --: |",
        "| all | rr | 1-2 | 1.0000 | 1.0000 |",
    ]


def test_columns_that_do_not_fit_follow_or_are_lines(runs: list[str]) -> None:
    first, second, *others = runs
    compare = ["compare", first, second, *others[-2:], "--baseline", "long_model_0"]
    assert at_width(80, *compare)[:7] == [
        "metric     model         queries  long_model_0   value      delta  relative",
        "---------  ------------  -------  ------------  ------  ---------  --------",
        "recall@10  long_model_1        3        0.3333  0.6667  +0.3333     +100.0%",
        "",
        "metric     model               95% interval  wins/ties/losses       p",
        "---------  ------------  ------------------  ----------------  ------",
        "recall@10  long_model_1  [-1.0000, +1.0000]             1/2/0  0.4226",
    ]
    assert at_width(40, *compare)[:2] == ["metric            recall@10", "model             long_model_1"]


@pytest.mark.product
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize(
    "arguments",
    [["evaluate"], ["evaluate", "--intervals"], ["compare", "--baseline", "long_model_0"]],
    ids=lambda arguments: arguments[-1],
)
def test_no_line_is_wider_than_the_terminal(width: int, arguments: list[str], runs: list[str]) -> None:
    lines = at_width(width, arguments[0], *runs, *arguments[1:], "-m", "recall@1,2,3,4,5,6,7,8,9,10")
    assert max(map(len, lines)) <= width


def test_the_descriptions_of_metrics_and_dialects_fit_too() -> None:
    for command in ("metrics", "dialects"):
        assert max(map(len, at_width(60, command))) <= 60


def test_a_table_is_shown_where_standard_output_is_no_stream(monkeypatch: Patch) -> None:
    result = evaluate({"q": ["a"]}, {"q": ["a"]}, "rr")
    monkeypatch.setattr(sys, "stdout", object())
    shown = repr(result)
    monkeypatch.undo()
    assert "rr" in shown


def test_a_pipe_gets_one_line_for_each_row(runs: list[str]) -> None:
    program = [sys.executable, "-m", "recall_duckdb", "compare", *runs, "--baseline", "long_model_0"]
    done = subprocess.run(program, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"})
    header, rule, row, *_ = done.stdout.splitlines()
    assert 80 < len(row) <= len(header) == len(rule)


def test_sentences_and_wide_letters_are_wrapped_below_each_other() -> None:
    shown = Table(["check", "what it found"], [["重複した商品", "the same item twice in a list"]])
    assert shown.text(35).splitlines() == [
        "check          重複した商品",
        "what it found  the same item twice",
        "               in a list",
    ]


def test_equal_counts_are_said_once() -> None:
    judged = {"query": [1, 2], "item": ["a", "b"], "relevance": [1, 1]}
    run = {"query": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0]}
    short = {"query": [1], "item": ["a"], "score": [1.0]}
    assert evaluate({"old": run, "new": run, "short": short}, judged).notes == [
        "old, new: 2 queries judged, 2 retrieved",
        "short: 2 queries judged, 1 retrieved; 1 missing from the run, counted as 0",
    ]


def test_a_notebook_shows_many_models_as_rows() -> None:
    judged = {"query": [1], "item": ["a"], "relevance": [1]}
    run = {"query": [1], "item": ["a"], "score": [1.0]}
    wide = evaluate({f"long_model_{number}": run for number in range(10)}, judged)._repr_html_()
    assert wide.count("<th ") == 2
    assert ">model</th>" in wide
    narrow = evaluate({"old": run, "new": run}, judged)._repr_html_()
    assert narrow.count("<th ") == 3
    assert ">metric</th>" in narrow
