"""A history: a folder to which each run adds a parquet file with its means, so that a report can draw their trend."""

from __future__ import annotations

import json
import re
from pathlib import Path
from threading import Thread
from typing import Any

import duckdb
import pytest
from asking import error_of, fails

from recall_duckdb import Result, __version__, evaluate
from recall_duckdb.cli import main
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, RecallError
from recall_duckdb.reporting import history

NO_ID = "run_id: a non-empty string is expected"
QRELS = {"query": [1, 2], "item": ["a", "a"], "relevance": [1, 1], "country": ["NL", "BE"]}


def result(item: str = "a", **options: Any) -> Result:
    run = {"query": [1, 2], "item": ["a", item], "score": [1.0, 1.0]}
    return evaluate(run, QRELS, ["recall@1", "rr"], **options)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history"


def rows(path: Path, columns: str = "*") -> list[tuple[Any, ...]]:
    return duckdb.connect().execute(f"SELECT {columns} FROM '{path}/*.parquet'").fetchall()


def change(path: Path, columns: str) -> None:
    """Write a history with a single run again, with these columns."""
    [file] = path.iterdir()
    duckdb.connect().execute(f"CREATE TABLE h AS FROM '{file}'; COPY (SELECT {columns} FROM h) TO '{file}'")


def test_each_run_adds_its_means(path: Path) -> None:
    assert result("b", by="country", missing="skip").append(path, run_id="build-1") == "build-1"
    second = result().append(path)
    assert re.fullmatch(r"[0-9a-f]{32}", second)
    assert rows(path, "run_id, version, model, slice, metric, k, value, queries") == [
        ("build-1", __version__, "run", None, "recall", 1, 0.5, 2),
        ("build-1", __version__, "run", None, "rr", None, 0.5, 2),
        ("build-1", __version__, "run", '{"country": "BE"}', "recall", 1, 0.0, 1),
        ("build-1", __version__, "run", '{"country": "BE"}', "rr", None, 0.0, 1),
        ("build-1", __version__, "run", '{"country": "NL"}', "recall", 1, 1.0, 1),
        ("build-1", __version__, "run", '{"country": "NL"}', "rr", None, 1.0, 1),
        (second, __version__, "run", None, "recall", 1, 1.0, 2),
        (second, __version__, "run", None, "rr", None, 1.0, 2),
    ]
    [[policies, _], *_] = rows(path, "policies, time")
    assert json.loads(policies)["missing"] == "skip"
    [(earlier, later)] = rows(path, "min(time) FILTER (run_id = 'build-1'), max(time)")
    assert earlier < later


def test_a_history_of_another_version_is_read_if_its_columns_are_the_same(path: Path) -> None:
    result().append(path, run_id="1")
    change(path, "* REPLACE ('99.0.0' AS version)")
    result().append(path, run_id="2")
    assert sorted(rows(path, "DISTINCT run_id, version")) == [("1", "99.0.0"), ("2", __version__)]


def test_a_mean_without_value_and_a_model_that_is_a_number_are_kept(path: Path) -> None:
    run = {"query": [1], "item": ["a"], "score": [1.0], "model": [7]}
    evaluate(run, QRELS, "average_rank@1", model="model").append(path)
    result("b", no_relevant="skip").append(path)
    assert ("7", "average_rank", 1.0) in rows(path, "model, metric, value")


def test_a_run_is_added_once_but_may_have_several_parts(path: Path) -> None:
    first = result()
    first.append(path, run_id="1")
    fails(ArgumentError, "run_id: .* already contains run '1'. Choose another id", first.append, path, run_id="1")
    evaluate({"dense": {"query": [1], "item": ["a"], "score": [1.0]}}, QRELS, "rr").append(path, run_id="1")
    assert len(rows(path)) == 3


@pytest.mark.parametrize("folder", ["model=bm25", "run_id=7", "value=1", "day=1", "k=ten/time=now"])
def test_a_directory_is_no_column_of_a_history(folder: str, tmp_path: Path) -> None:
    path = tmp_path / folder / "history"
    path.parent.mkdir(parents=True)
    for run in ("1", "2", "3"):
        result().append(path, run_id=run)
    as_written = "run_id, model, metric, k, value"
    held = duckdb.connect().execute(f"SELECT {as_written} FROM read_parquet('{path}/*', hive_partitioning = false)")
    assert sorted(held.fetchall(), key=lambda row: row[0]) == [
        (run, "run", metric, k, 1.0) for run in ("1", "2", "3") for metric, k in (("recall", 1), ("rr", None))
    ]
    read = history.read(str(path), [("rr", None)])
    assert [(row["run_id"], row["value"]) for row in read] == [("1", 1.0), ("2", 1.0), ("3", 1.0)]


def write_newer(path: Path) -> None:
    result().append(path)
    change(path, "*, 'abc' AS commit")


def write_other(path: Path) -> None:
    result().append(path)
    duckdb.execute(f"COPY (SELECT 1 AS run_id) TO '{path / 'other.parquet'}'")


def write_text(path: Path) -> None:
    path.write_text("no parquet")


def write_file(path: Path) -> None:
    """Write a file with the columns of a history, which a folder holds."""
    result().append(path)
    file = next(path.iterdir()).rename(path.with_name("file"))
    path.rmdir()
    file.rename(path)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (write_other, "other.parquet' is not of a history. Its columns are run_id INTEGER; those of a history are"),
        (write_newer, "is of a history of another version. Its columns are run_id VARCHAR, "),
        (write_text, "history' is a file, not the folder of a history. Make a folder, and move it there"),
        (write_file, "history' is a file, not the folder of a history. Make a folder, and move it there"),
    ],
)
def test_other_files_are_not_touched(write: Any, message: str, path: Path) -> None:
    write(path)
    before = [(each, each.is_file() and each.read_bytes()) for each in (path, *path.glob("*"))]
    with pytest.raises(RecallError, match=re.escape(message)):
        result().append(path)
    with pytest.raises(RecallError, match=re.escape(message)):
        result().report(path.with_suffix(".html"), history=path)
    assert [(each, each.is_file() and each.read_bytes()) for each in (path, *path.glob("*"))] == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: result().append("/dev/null"), ArgumentError, "history: '/dev/null' is a device. Name a"),
        (lambda: result().append("/nowhere/h"), ArgumentError, "history: cannot write '/nowhere/h'"),
        (lambda: result().append(3), ArgumentTypeError, "history: a path is expected, not 3"),  # type: ignore[arg-type]
        (lambda: result().append("h", run_id=3), ArgumentTypeError, f"{NO_ID}, not 3"),  # type: ignore[arg-type]
        (lambda: result().append("h", run_id=""), ArgumentTypeError, f"{NO_ID}, not ''"),
    ],
)
def test_a_wrong_argument_is_named(call: Any, kind: type[RecallError], message: str) -> None:
    fails(kind, re.escape(message), call)


@pytest.mark.parametrize("column", ["run_id", "time", "version", "policies", "model", "metric"])
def test_a_history_with_a_hole_is_refused(column: str, path: Path) -> None:
    result().append(path)
    change(path, f"* REPLACE (if(k IS NULL, NULL, {column}) AS {column})")
    for call in (lambda: result().append(path), lambda: history.read(str(path), [("rr", None)])):
        fails(DataError, rf"history: column '{column}' of '.*' holds NULL\. Fill it in, or remove", call)


def test_a_time_after_9999_is_refused(path: Path) -> None:
    result().append(path)
    change(path, "* REPLACE (TIMESTAMP '294000-01-01' AS time)")
    fails(DataError, "history: .* holds the time '294000-01-01", history.read, str(path), [("rr", None)])


def test_no_run_is_lost_if_several_are_added_at_once(path: Path) -> None:
    threads = [Thread(target=result().append, args=(path,), kwargs={"run_id": str(run)}) for run in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(path, "count(DISTINCT run_id)") == [(8,)]
    assert len(list(path.iterdir())) == 8


def test_an_output_must_not_be_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, link, other = tmp_path / "run.html", tmp_path / "link.html", tmp_path / "history.parquet"
    run.write_text("1 Q0 a 1 1.0 t\n")
    link.symlink_to(run)
    other.symlink_to(run)
    wanted = run.read_bytes()
    found = evaluate(run, QRELS, "rr", ids="text")
    for page in (run, link):
        fails(ArgumentError, r"path: '.*\.html' is one of the input files. Choose another path", found.report, page)
    fails(ArgumentError, r"history: '.*\.parquet' is one of the input files", found.append, other)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    for read in (str(run), str(tmp_path / "run.h*l"), f"model={run}"):
        asked = [read, "--qrels", str(tmp_path / "qrels"), "-m", "rr"]
        for command in (["report", *asked, "-o", str(link)], ["evaluate", *asked, "--append", str(other)]):
            assert "is one of the input files. Choose another path" in error_of(capsys, *command)
    assert run.read_bytes() == wanted


@pytest.mark.slow
def test_a_report_draws_the_trend_up_to_its_result(path: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"

    def points(**options: Any) -> int:
        """Return how many points the first trend has in a report of a new result."""
        found = result("b", **options)
        found.report(page, history=path)
        trend = page.read_text().partition("<h2>Trend of means</h2>")[2].partition("</section>")[0]
        [dots] = re.findall(
            r"mark-symbol role-mark[^>]*>(.*?)</g>", trend.partition("<figure>")[2].partition("</figure>")[0]
        )
        return str(dots).count("<path")

    result("b").append(path)
    assert points() == 2
    last = result()
    last.append(path)
    last.report(page, history=path)
    assert "The last 2 runs." in page.read_text()
    assert points() == 3
    assert "different policies" not in page.read_text()
    points(missing="skip")
    assert "They used different policies." in page.read_text()
    evaluate({"dense": {"query": [1], "item": ["a"], "score": [1.0]}}, QRELS, "rr").report(page, history=path)
    assert "The history holds no earlier mean of these models and metrics. It also holds run. A" in page.read_text()


@pytest.mark.slow
def test_the_commands_add_to_a_history(tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, columns in (("run", {"query": [1], "item": ["a"], "score": [1.0]}), ("qrels", QRELS)):
        lists = ", ".join(f"unnest(?) AS {column}" for column in columns)
        duckdb.connect().execute(f"COPY (SELECT {lists}) TO '{tmp_path / name}.parquet'", list(columns.values()))
    question = [str(tmp_path / "run.parquet"), "--qrels", str(tmp_path / "qrels.parquet"), "-m", "rr"]
    page = str(tmp_path / "report.html")
    append = ["--append", str(path)]
    assert main(["evaluate", *question, *append, "--run-id", "1", "--at-least", "rr=1"]) == 1
    assert main(["report", *question, *append, "--run-id", "2", "-o", page]) == 0
    assert rows(path, "run_id, value") == [("1", 0.5), ("2", 0.5)]
    assert "The last 2 runs." in Path(page).read_text()
    assert main(["report", *question, "--history", str(path), "-o", page]) == 0
    assert "The last 3 runs." in Path(page).read_text()
    capsys.readouterr()
    for options, message in (
        ([*append, "--run-id", "1"], f"--run-id: {str(path)!r} already contains run '1'"),
        (["--append", question[0]], "--append: "),
        (["--append", "/nowhere/h"], "--append: cannot write '/nowhere/h'"),
        (["--run-id", "3"], "--run-id: there is no history to add the run to. Pass --append too"),
    ):
        assert message in error_of(capsys, "evaluate", *question, *options)
    page_before = Path(page).read_bytes()
    assert main(["report", *question, *append, "--run-id", "1", "-o", page]) == 2
    assert Path(page).read_bytes() == page_before
    both = [f"--{option}={tmp_path}/both.parquet" for option in ("append", "per-query")]
    assert "--append, --per-query: both name" in error_of(capsys, "evaluate", *question, *both)
    assert len(rows(path)) == 2
