"""What people type first: a bare command, several metrics after one -m, explain, gates in one command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from asking import Output, error_of, fails, output_of

from recall_duckdb.cli import main
from recall_duckdb.cli.parser import COMMANDS

OLD = "query,item,score\n1,a,3\n1,x,2\n2,y,1\n"
NEW = "query,item,score\n1,x,3\n1,a,2\n2,b,1\n"
QRELS = "query,item,relevance\n1,a,1\n1,c,1\n2,b,1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds the files, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, text in {"old": OLD, "new": NEW, "qrels": QRELS}.items():
        Path(f"{name}.csv").write_text(text)
    return tmp_path


def test_a_bare_command_prints_the_help(capsys: Output) -> None:
    assert main([]) == 2
    bare = capsys.readouterr()
    fails(SystemExit, "0", main, ["--help"])
    assert bare == capsys.readouterr()
    assert [line for line in bare.out.splitlines() if line.startswith("  recall-duckdb ")] == bare.out.splitlines()[3:5]
    assert re.findall(r"^(\w[\w ]+):$", bare.out, re.MULTILINE)[:2] == ["Examples", "To start"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_starts_with_two_examples_and_fits(command: str, capsys: Output) -> None:
    fails(SystemExit, "0", main, [command, "--help"])
    usage, _, title, *examples = capsys.readouterr().out.splitlines()[:5]
    assert (usage, title) == (f"usage: recall-duckdb {command} ...", "Examples:")
    assert all(example.startswith(f"  recall-duckdb {command} ") and len(example) <= 80 for example in examples)


@pytest.mark.parametrize(
    "arguments",
    [
        ["old.csv", "--qrels", "qrels.csv", "-m", "recall@2", "rr"],
        ["-m", "recall@2", "rr", "old.csv", "--qrels", "qrels.csv"],
        ["-m", "recall@2", "-m", "rr", "--qrels", "qrels.csv", "old.csv"],
        ["--metric", "recall@2", "rr", "--qrels=qrels.csv", "old.csv"],
    ],
    ids=" ".join,
)
def test_several_metrics_may_follow_one_option(arguments: list[str], capsys: Output) -> None:
    assert output_of(capsys, "evaluate", *arguments).splitlines()[2:4] == ["recall@2  0.2500", "rr        0.5000"]


def test_a_file_with_the_name_of_a_metric_is_a_run(capsys: Output) -> None:
    Path("old.csv").rename("map")
    assert main(["evaluate", "-m", "rr", "map", "new.csv", "--qrels", "qrels.csv", "--format", "json"]) == 0
    assert [(row["model"], row["metric"]) for row in json.loads(capsys.readouterr().out)] == [
        ("map", "rr"),
        ("new", "rr"),
    ]


@pytest.mark.parametrize(
    ("names", "heads"), [(["ndcg"], ["ndcg@k"]), (["P_5", "recall@10", "recall"], ["precision@k", "recall@k"])]
)
def test_metrics_describes_those_that_are_named(names: list[str], heads: list[str], capsys: Output) -> None:
    assert [part.splitlines()[0] for part in output_of(capsys, "metrics", *names).split("\n\n")][:-1] == heads
    assert "\nap@k\n" in output_of(capsys, "metrics", "official")  # a family, with options


def test_explain_shows_what_changed_for_a_query(capsys: Output) -> None:
    call = ["explain", "1", "old.csv", "new.csv", "--qrels", "qrels.csv"]
    lines = output_of(capsys, *call, "--baseline", "old", "-k", "1").splitlines()
    assert [line.split()[-1] for line in lines[2:]] == ["left", "✓", "entered"]  # the relevant ones come first
    rows = json.loads(output_of(capsys, *call, "--format", "json"))
    assert [(row["model"], row["item"], row["rank"], row["is_relevant"]) for row in rows] == [
        *(("old", "a", 1, True), ("old", "c", None, True), ("old", "x", 2, False)),
        *(("new", "a", 2, True), ("new", "c", None, True), ("new", "x", 1, False)),
    ]


def test_compare_prints_counts_and_writes_the_values_of_queries(capsys: Output) -> None:
    call = ["compare", "old.csv", "new.csv", "--qrels", "qrels.csv", "--baseline", "old", "-m", "rr"]
    assert main([*call, "--per-query", "values.csv"]) == 0
    assert capsys.readouterr().out.splitlines()[-3] == "old, new: 2 queries judged, 2 retrieved"
    assert sorted(Path("values.csv").read_text().splitlines()) == [
        *("model,query,rr", "new,1,0.5", "new,2,1.0", "old,1,1.0", "old,2,0.0"),
    ]
    assert main(["compare", "a=values.csv", "b=values.csv", "--values", "--baseline", "a", "--per-query", "x.csv"]) == 2
    assert "--per-query: it has no effect with --values" in capsys.readouterr().err


def test_a_gate_compares_with_another_model_of_the_command(capsys: Output) -> None:
    call = ["evaluate", "old.csv", "new.csv", "--qrels", "qrels.csv", "-m", "rr", "--not-below"]
    assert main([*call, "old", "--at-least", "rr=0.5"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "recall-duckdb: gate passed: rr is at least 0.5; the lowest is 0.5000, of old",
        "recall-duckdb: gate passed: no mean is worse than that of old",
    ]
    assert main([*call, "new", "--max-drop", "0.1"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "recall-duckdb: gate failed: rr of old is 0.5000, below the baseline's 0.7500 by 0.25; at most 0.1 is allowed"
    ]
    assert main([*call, "new", "--max-drop", "0.5"]) == 0
    assert capsys.readouterr().err == (
        "recall-duckdb: gate passed: no mean is worse than that of new by more than 0.5\n"
    )  # fmt: skip


@pytest.mark.slow
def test_compare_without_a_baseline_prints_a_leaderboard(capsys: Output) -> None:
    call = ["compare", "old.csv", "new.csv", "third=new.csv", "--qrels", "qrels.csv", "-m", "rr", "recall@1"]
    assert output_of(capsys, *call, "--per-query", "values.csv").splitlines() == [
        "model  rr        recall@1",
        "-----  --------  --------",
        "new    0.7500 a  0.5000 a",
        "third  0.7500 a  0.5000 a",
        "old    0.5000 a  0.2500 a",
        "models that share a letter do not differ significantly at p < 0.05; the best have an a",
        "p: paired t-test, adjusted by Holm for all pairs",
        "old, new, third: 2 queries judged, 2 retrieved",
        "runs: old.csv and new.csv; query, item, score (highest first)",
        "qrels: qrels.csv; query, item, relevance (relevant above 0)",
    ]
    rows = json.loads(output_of(capsys, *call, "--format", "json", "--test", "sign"))
    assert [(row["model"], row["place"], row["letters"]) for row in rows[::2]] == [
        *(("new", 1, "a"), ("third", 1, "a"), ("old", 3, "a")),
    ]
    assert "| new | **0.7500 a** | **0.5000 a** |" in output_of(capsys, *call, "--format", "markdown")


def test_files_of_values_need_no_baseline_either(capsys: Output) -> None:
    for name in ("old", "new"):
        call = [f"{name}.csv", "--qrels", "qrels.csv", "-m", "rr", "--per-query", f"v_{name}.csv"]
        output_of(capsys, "evaluate", *call)
    assert main(["compare", "--values", "old=v_old.csv", "new=v_new.csv", "--format", "csv"]) == 0
    answer = capsys.readouterr()
    assert [line.split(",")[0] for line in answer.out.splitlines()] == ["model", "new", "old"]
    assert answer.err == "recall-duckdb: --baseline old shows the difference, with its interval and p\n"


ASK, LEADERBOARD = "evaluate old.csv --qrels qrels.csv", "compare old.csv new.csv --qrels qrels.csv"
REFUSED = {
    f"{ASK} --at-least recall@5=0.1": "duckdb: --at-least: 'recall@5' is not among the metrics that were asked for, "
    "'recall@10'. Pass --metric recall@5 too\n",
    f"{ASK} --at-least recal@5=0.1": "there is no metric 'recal' (in 'recal@5'). Did you mean 'recall'?",
    f"{ASK} --weights weights.csv --intervals": "a weighted mean has no interval. Evaluate without weights\n",
    "metrics ndgc": "there is no metric 'ndgc' (in 'ndgc'). Did you mean 'ndcg'?",
    "explain 7 old.csv --qrels qrels.csv": ": QUERY: there is no query '7', neither in the run nor in the qrels\n",
    "explain old.csv new.csv --qrels qrels.csv --baseline old": ": QUERY: 'old.csv' is a file. The first argument "
    "is the query, as in explain q1 run.parquet\n",
    f"{LEADERBOARD} --by query": "--by: a leaderboard is over all queries and items, without intervals",
    f"{LEADERBOARD} --slices both": "--slices: a leaderboard is over all queries and items, without",
    f"{LEADERBOARD} --interval t": "--interval: a leaderboard is over all queries and items, without intervals of",
    "compare old.csv --qrels qrels.csv": "run: there is one model, so there is nothing to compare. Pass "
    "several runs, as in compare old",
    "compare old.csv --qrels qrels.csv --baseline old": "several runs at once, or pass --values and files of values",
}


def test_what_cannot_be_answered_is_refused_with_a_fix(capsys: Output) -> None:
    Path("weights.csv").write_text("query,weight\n1,1\n2,3\n")
    for command, message in REFUSED.items():
        assert message in error_of(capsys, *command.split()), command
