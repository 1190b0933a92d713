"""The output of the command in addition to numbers: names on a terminal, closed streams, files and progress."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from asking import Output, error_of, fails, output_of

from recall_duckdb import check, evaluate, file_writing
from recall_duckdb.cli import main
from recall_duckdb.definitions.templates import sql_folder
from recall_duckdb.errors import ArgumentError, DataError

RUN: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}
# Clears the screen, ends the line, forges a column and a row, and reverses the following text.
NASTY = "x\x1b[2J\n\ty\x7f\x9b\u202e\u200b|<b>"
ESCAPED = r"x\x1b[2J\n\ty\x7f\x9b\u202e\u200b|<b>"
LABELLED = {"query": [1], "item": ["a"], "score": [1.0], "relevance": [1]}


def write(path: Path, **columns: list[Any]) -> str:
    """Write columns to a parquet file and return its path."""
    pl.DataFrame(columns).write_parquet(path)
    return str(path)


@pytest.fixture
def question(tmp_path: Path) -> list[str]:
    """A run and qrels in a folder, as command line arguments of `evaluate` and `check`."""
    folder = tmp_path / "data"
    folder.mkdir()
    return [write(folder / "run.parquet", **RUN), "--qrels", write(folder / "qrels.parquet", **QRELS)]


@pytest.fixture
def nasty(tmp_path: Path) -> list[str]:
    """The same arguments, with a model, a slice and a column named NASTY."""
    columns = {**RUN, "model": [NASTY] * 3, NASTY: [NASTY, NASTY, "-"]}
    qrels = write(tmp_path / "qrels.parquet", **QRELS)
    return [write(tmp_path / "run.parquet", **columns), "--qrels", qrels, "--model", "model", "--by", NASTY]


def on_terminal(*arguments: str, both: bool = False) -> tuple[str, str]:
    """Run the command with standard error on a terminal, or both streams, and return the text of each."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    program = [sys.executable, "-m", "recall_duckdb", *arguments]
    stdout = theirs if both else subprocess.PIPE
    shown = b""
    with subprocess.Popen(program, env=environment, stdout=stdout, stderr=theirs) as process:
        os.close(theirs)
        # A full terminal blocks its writer, so read the terminal first, to its end.
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # the other side is closed
            pass
        printed = b"" if process.stdout is None else process.stdout.read()
    os.close(ours)
    return printed.decode(), shown.decode()


def in_shell(command: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `recall` is the command and $@ are the arguments."""
    line = f'recall() {{ {sys.executable} -m recall_duckdb "$@"; }}; set -o pipefail; {command}'
    return subprocess.run(
        ["bash", "-c", line, "bash", *arguments],
        capture_output=True, text=True, check=False, timeout=300, env={**os.environ, **environment},
    )  # fmt: skip


# Files of values per query


def test_an_existing_file_keeps_its_mode(question: list[str], tmp_path: Path) -> None:
    target = tmp_path / "values.csv"
    target.write_text("old")
    target.chmod(0o604)
    assert main(["evaluate", *question, "--per-query", str(target)]) == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o604
    assert target.read_text().startswith("model,query,recall@10")


def test_a_new_file_has_the_mode_that_the_umask_gives(question: list[str], tmp_path: Path) -> None:
    target = tmp_path / "values.csv"
    assert in_shell('umask 026; recall evaluate "$@"', *question, "--per-query", str(target)).returncode == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("exists", [True, False], ids=["to a file", "to a missing file"])
def test_a_symbolic_link_is_followed(question: list[str], tmp_path: Path, exists: bool) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "values", tmp_path / "link.csv"
    if exists:
        target.write_text("old")
    link.symlink_to("elsewhere/values")
    assert main(["evaluate", *question, "--per-query", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text().startswith("model,query,recall@10")
    assert [path.name for path in target.parent.iterdir()] == ["values"]


def test_a_link_to_an_input_file_is_refused(question: list[str], tmp_path: Path, capsys: Output) -> None:
    link, run = tmp_path / "link.parquet", Path(question[0])
    link.symlink_to(run)
    before = run.read_bytes()
    assert "link.parquet' is one of the input files" in error_of(
        capsys, "evaluate", *question, "--per-query", str(link)
    )
    assert run.read_bytes() == before


@pytest.mark.parametrize("where", ["the file", "DuckDB"])
def test_a_full_disk_is_named_and_nothing_is_written(where: str, tmp_path: Path) -> None:
    target = tmp_path / "values.csv"
    target.write_text("old")
    found = evaluate(LABELLED, metrics="rr")

    def write() -> None:
        with file_writing.replacing(target, "v.csv", "per_query"):
            if where == "DuckDB":
                found.write_per_query("/dev/full", "csv")
            with Path("/dev/full").open("w") as full:
                full.write("x")

    fails(ArgumentError, r"per_query: cannot write 'v\.csv': the disk is full\. Nothing was written", write)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Path.mkdir, "is a directory. Name a regular file, as in values.parquet"),
        (os.mkfifo, "is a FIFO (named pipe). Name a regular file"),
        (make_socket, "is a socket. Name a regular file"),
        (lambda path: path.symlink_to("/dev/null"), "is a device. Name a regular file"),
        (lambda path: path.symlink_to(path), "cannot write"),
        (lambda path: path.symlink_to("nowhere/values.csv"), "No such file or directory"),
    ],
    ids=["directory", "FIFO", "socket", "device", "link to itself", "link to a missing directory"],
)
def test_per_query_refuses_directories_fifos_and_devices_before_evaluating(
    make: Callable[[Path], None], message: str, tmp_path: Path, capsys: Output
) -> None:
    target = tmp_path / "values.csv"
    make(target)
    kind = stat.S_IFMT(target.lstat().st_mode)
    error_text = error_of(capsys, "evaluate", "no such run.parquet", "--per-query", str(target))
    assert error_text.startswith("recall-duckdb: --per-query: ")
    assert repr(str(target)) in error_text
    assert message in error_text
    assert stat.S_IFMT(target.lstat().st_mode) == kind


def test_a_file_may_have_the_longest_name(question: list[str], tmp_path: Path) -> None:
    target = tmp_path / ("n" * 251 + ".csv")  # the longest name that most file systems allow
    assert main(["evaluate", *question, "--per-query", str(target)]) == 0
    assert target.exists()


def test_a_file_with_an_accent_is_written_in_the_locale_c(question: list[str], tmp_path: Path) -> None:
    (tmp_path / "ä").mkdir()
    target = str(tmp_path / "ä" / "ö.csv")
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = in_shell('recall evaluate "$@"', *question, "--per-query", target, **locale)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(target).read_text().startswith("model,query,recall@10")


@pytest.mark.parametrize("option", ["--memory-limit", "--per-query", "--rank", "--by", "--weights", "-m"])
def test_an_empty_value_is_refused(option: str, question: list[str], capsys: Output) -> None:
    assert main(["evaluate", *question, option, ""]) == 2
    name = "--metric" if option == "-m" else option
    assert capsys.readouterr().err == f"recall-duckdb: {name}: the value is empty: give one, or leave it out\n"


# Names that hold control characters


@pytest.mark.parametrize(
    ("command", "form", "status"),
    [
        *(("evaluate", form, 0) for form in ("table", "markdown", "json", "trec")),
        *(("check", form, 1) for form in ("table", "markdown", "json")),
    ],
)
def test_control_characters_in_names_are_escaped(
    command: str, form: str, status: int, nasty: list[str], capsys: Output
) -> None:
    assert main([command, *nasty, "--format", form]) == status
    printed = capsys.readouterr().out
    assert [letter for letter in printed if not letter.isprintable() and letter not in "\n\t"] == []
    assert r"[2J\n\t" in printed.replace("\\\\", "\\").replace("\\[", "[")
    assert "\ty" not in printed


def test_a_table_shows_control_characters_escaped(nasty: list[str], capsys: Output) -> None:
    assert output_of(capsys, "evaluate", *nasty).splitlines()[:6] == [
        rf"{ESCAPED}  metric     queries  {ESCAPED}",
        "-------------------------------------  ---------  -------  -------------------------------------",
        "all                                    recall@10        2                                 0.7500",
        "-                                      recall@10        1                                 1.0000",
        rf"{ESCAPED}  recall@10        1                                 0.5000",
        rf"{ESCAPED}: 2 queries judged, 2 retrieved",
    ]


def test_json_has_the_exact_name(nasty: list[str], capsys: Output) -> None:
    assert {row["model"] for row in json.loads(output_of(capsys, "evaluate", *nasty, "--format", "json"))} == {NASTY}


def test_csv_has_the_exact_name_quoted(tmp_path: Path, capsys: Output) -> None:
    models = [NASTY, "=1+1", "a\rb"]
    columns: dict[str, list[Any]] = {"query": ["q"] * 3, "item": ["a"] * 3, "score": [1.0] * 3, "model": models}
    qrels = write(tmp_path / "qrels.parquet", query=["q"], item=["a"], relevance=[1])
    call = [write(tmp_path / "run.parquet", **columns), "--qrels", qrels, "--model", "model", "--format", "csv"]
    printed = output_of(capsys, "evaluate", *call)
    rows = list(csv.DictReader(io.StringIO(printed, newline="")))
    assert sorted(row["model"] for row in rows) == sorted(models)
    assert "\n=1+1,recall,10,1.0,1\n" in printed
    _, shown = on_terminal("evaluate", *call, both=True)
    assert r"x\x1b[2J" in shown
    assert "\x1b[2J" not in shown


def test_markdown_shows_a_name_as_text(question: list[str], capsys: Output) -> None:
    run, *qrels = question
    name = "# ![i](u) <b> a|b `c` *d* \\"
    assert (
        main(["evaluate", f"{name}={os.path.relpath(run)}".replace("/", os.sep), *qrels, "--format", "markdown"]) == 0
    )
    escaped = r"\# !\[i\](u) &lt;b&gt; a\|b \`c\` \*d\* \\"
    assert capsys.readouterr().out.splitlines()[:5] == [
        f"| metric | {escaped} |",
        "| :-- | --: |",
        "| recall@10 | 0.7500 |",
        "",
        f"{escaped}: 2 queries judged, 2 retrieved  ",
    ]


def test_html_shows_a_name_as_text() -> None:
    shown = evaluate({"<b>": {**RUN, "by": ["<i>"] * 3}}, QRELS, by="by")._repr_html_()
    assert "<b>" not in shown
    assert "<i>" not in shown


def test_results_and_faults_in_python_are_shown_escaped() -> None:
    run = {**RUN, NASTY: [NASTY] * 3}
    result = evaluate({NASTY: run}, QRELS, by=NASTY)
    faults = check({**RUN, NASTY: ["x", "y", None]}, QRELS, by=NASTY)
    for shown in (repr(result), result._repr_html_(), repr(faults), faults._repr_html_()):
        assert [letter for letter in shown if not letter.isprintable() and letter != "\n"] == []
        assert r"x\x1b[2J\n\ty" in shown


def test_dash_as_slice_or_model_name_is_not_drawn_as_rule() -> None:
    shown = repr(evaluate({"-": {**RUN, "by": ["-", "-", "b"]}}, QRELS, by="by"))
    assert shown.splitlines()[:6] == [
        "by   metric     queries       -",
        "---  ---------  -------  ------",
        "all  recall@10        2  0.7500",
        "-    recall@10        1  0.5000",
        "b    recall@10        1  1.0000",
        "-: 2 queries judged, 2 retrieved",
    ]


@pytest.mark.parametrize("query", ["a b", "a\tb", "a\nb", "a\u00a0b", "\x1b[2J", ""])
def test_a_query_that_cannot_be_a_field_of_a_trec_line_is_refused(query: str, tmp_path: Path, capsys: Output) -> None:
    run = write(tmp_path / "run.parquet", query=[query], item=["a"], score=[1.0])
    call = ["evaluate", run, "--qrels", write(tmp_path / "qrels.parquet", query=[query], item=["a"], relevance=[1])]
    assert main([*call, "--format", "trec"]) == 0
    error_text = error_of(capsys, *call, "--format", "trec", "-q")
    assert f"query {query!r} cannot be a field of trec_eval's output, whose fields end at whitespace" in error_text
    assert "--per-query FILE" in error_text


def test_a_query_of_several_columns_is_one_field_of_a_trec_line() -> None:
    keys = {"user": [7], "day": ["mon"]}
    run, qrels = {**keys, "item": ["a"], "score": [1.0]}, {**keys, "item": ["a"], "relevance": [1]}
    lines = evaluate(run, qrels, "rr", query=["user", "day"]).to_trec(each_query=True).splitlines()
    assert lines[0].split() == ["recip_rank", "7,mon", "1.0000"]
    with pytest.raises(DataError, match="query '7,mon day' cannot be a field"):
        evaluate(
            {**run, "day": ["mon day"]}, {**qrels, "day": ["mon day"]}, "rr", query=["user", "day"]
        ).to_trec(each_query=True)  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", f"{NASTY}.parquet"],
        ["evaluate", "run.parquet", "--no\x1b[2J\u202e"],
        ["evaluate", "run.parquet", "--format", NASTY],
        ["sql", "run", "--form", NASTY],
        ["metrics", "--metric-folder", NASTY],
    ],
)
def test_control_characters_in_errors_are_escaped(arguments: list[str], capsys: Output) -> None:
    status: object
    try:
        status = main(arguments)
    except SystemExit as stopped:  # by argparse
        status = stopped.code
    assert status == 2
    error_text = capsys.readouterr().err
    assert [letter for letter in error_text if not letter.isprintable() and letter != "\n"] == []
    assert r"\x1b[2J" in error_text


def test_later_lines_of_an_error_do_not_look_like_another_message(tmp_path: Path, capsys: Output) -> None:
    run = write(tmp_path / "a\nrecall-duckdb: all is well.parquet", query=["q"])
    assert "\n  recall-duckdb: all is well.parquet) has no column" in error_of(capsys, "evaluate", run)


@pytest.mark.slow
def test_metrics_and_sql_are_escaped_on_a_terminal(tmp_path: Path) -> None:
    text = (sql_folder() / "4_metrics" / "rr.sql").read_text("utf-8")
    text = re.sub(r"^(-- .*\n)+", "-- The share of \x1b[2J\u202e items.\n", text).replace("AS rr", "AS own")
    (tmp_path / "own.sql").write_text(text, "utf-8")
    _, metrics = on_terminal("metrics", "--metric-folder", str(tmp_path), both=True)
    assert r"  The share of \x1b[2J\u202e items." in metrics.splitlines()
    _, shown = on_terminal("sql", "run", "--query", "a\x1b[2Jb", "--dialect", "sqlite", both=True)
    assert r"a\x1b[2Jb" in shown
    assert "\x1b[2J" not in shown


# Streams that are closed

CLOSED = {
    ">&-": (2, "recall-duckdb: the output cannot be written: Bad file descriptor\n"),
    ">/dev/full": (2, "recall-duckdb: the output cannot be written: No space left on device\n"),
    "| true": (0, ""),
    "2>&1 | true": (0, ""),
    "2>&-": (0, ""),
    ">&- 2>&-": (2, ""),
}


@pytest.mark.product
@pytest.mark.parametrize("redirection", CLOSED)
@pytest.mark.parametrize("command", ["evaluate", "check", "--help"])
def test_closed_streams_end_quietly(command: str, redirection: str, question: list[str]) -> None:
    status, error_text = CLOSED[redirection]
    arguments = question if command in ("evaluate", "check") else []
    done = in_shell(f'recall {command} "$@" {redirection}', *arguments)
    if command == "check" and status == 0:
        status = 1  # check finds a fault: q1 has fewer than ten candidates
    assert (done.returncode, done.stderr) == (status, error_text)


@pytest.mark.product
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "2>&1 >/dev/null | true"])
@pytest.mark.parametrize("arguments", [["evaluate", "missing.parquet"], ["evaluate", "--foo"]])
def test_an_error_that_nobody_reads_is_not_printed_elsewhere(arguments: list[str], redirection: str) -> None:
    done = in_shell(f'recall "$@" {redirection}', *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


# Progress


@pytest.mark.load
def test_a_long_evaluation_shows_its_progress_on_a_terminal(tmp_path: Path) -> None:
    run = f"{tmp_path}/run.parquet"
    columns = "'q' || i // 100 AS query, 'd' || i % 100 AS item, hash(i) AS score, i % 7 AS relevance"
    duckdb.execute(f"COPY (SELECT {columns} FROM range(3_000_000) AS t (i)) TO '{run}'")
    asked = ["evaluate", run, "--threads", "1", "-m", "official"]
    assert re.search(r"\d+% ▕", on_terminal(*asked, both=True)[1])
    table, _ = on_terminal(*asked)
    assert "num_q" in table
    assert "▕" not in table


def test_ctrl_c_during_imports_shows_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "duckdb.py").write_text("raise KeyboardInterrupt")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    program = [sys.executable, "-m", "recall_duckdb", "metrics"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=environment, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "recall-duckdb: interrupted\n")


def test_an_error_breaks_at_words_on_a_terminal(question: list[str]) -> None:
    for mistake in (["-m", "recal@5"], ["-m", "precision@5", "-k", "7"]):
        first, *others = on_terminal("evaluate", *question, *mistake)[1].splitlines()
        assert all(line.startswith("  ") for line in others)
        assert 90 < max(map(len, (first, *others))) <= 100
