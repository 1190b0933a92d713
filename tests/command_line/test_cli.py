"""The command line, run as a user runs it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest
from asking import Output, error_of, fails, output_of

from recall_duckdb import evaluate
from recall_duckdb.cli import main
from recall_duckdb.errors import DataError

RUN = {"user_id": [1, 1, 2], "item_id": ["a", "b", "c"], "score": [0.9, 0.8, 0.7], "country": ["NL", "NL", "BE"]}
QRELS = {"user_id": [1, 1, 2], "item_id": ["b", "x", "c"], "relevance": [1, 1, 1]}
COLUMNS = ["--query", "user_id", "--item", "item_id"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    pl.DataFrame(RUN).write_parquet(tmp_path / "bm25.parquet")
    pl.DataFrame(QRELS).write_parquet(tmp_path / "qrels.parquet")
    return str(tmp_path / "bm25.parquet"), str(tmp_path / "qrels.parquet")


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "recall_duckdb", *arguments], capture_output=True, text=True, check=False, timeout=300
    )


def test_a_query_with_a_name_may_be_long(capsys: Output) -> None:
    query = f"(SELECT 'q' AS query, 'a' AS item, 1 AS score, 1 AS relevance, '{'long ' * 100}' AS note)"
    assert "bm25" in output_of(capsys, "evaluate", f"bm25={query}", "-m", "rr")


@pytest.mark.parametrize("command", [["evaluate", "--format", "csv"], ["compare", "--baseline", "bm25.run-2"]])
def test_dots_before_the_ending_belong_to_the_name_of_a_model(
    command: list[str], tmp_path: Path, capsys: Output
) -> None:
    run, runs = b"query,item,score\n1,a,1\n2,b,1\n", ["hybrid-weighted-0.3.csv", "hybrid-weighted-0.7.CSV.gz"]
    for name in runs:
        (tmp_path / name).write_bytes(gzip.compress(run) if name.endswith(".gz") else run)
    (tmp_path / "bm25.run-2").write_text("1 Q0 a 1 0.5 bm25\n")
    (tmp_path / "qrels.csv").write_text("query,item,relevance\n1,a,1\n2,c,1\n")
    paths = [str(tmp_path / name) for name in (*runs, "bm25.run-2")]
    written = output_of(capsys, command[0], *paths, "--qrels", tmp_path / "qrels.csv", *command[1:])
    assert [name for name in ("hybrid-weighted-0.3", "hybrid-weighted-0.7", "bm25.run-2") if name not in written] == []


@pytest.mark.parametrize("name", ["{}/model=bm25/run.parquet", "model=bm25/run.parquet", "model=*/run.parquet"])
def test_a_path_with_an_equals_sign_is_no_named_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model=bm25").mkdir()
    pl.DataFrame({"query": [1], "item": ["a"], "score": [1.0]}).write_parquet("model=bm25/run.parquet")
    pl.DataFrame({"query": [1], "item": ["a"], "relevance": [1]}).write_parquet("qrels.parquet")
    run = name.format(tmp_path)
    assert main(["evaluate", run, "--qrels", "qrels.parquet", "-m", "rr", "--model", "model"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["metric", "bm25"]


def test_results_print_as_json_csv_and_markdown(files: tuple[str, str], capsys: Output) -> None:
    run, qrels = files
    call = ["evaluate", run, "--qrels", qrels, *COLUMNS, "--by", "country", "--format"]
    expected = [("", "0.75", "2"), ("BE", "1.0", "1"), ("NL", "0.5", "1")]
    rows = json.loads(output_of(capsys, *call, "json"))
    assert [(row["country"] or "", str(row["value"]), str(row["queries"])) for row in rows] == expected
    lines = list(csv.DictReader(io.StringIO(output_of(capsys, *call, "csv"))))
    assert [(row["country"], row["value"], row["queries"]) for row in lines] == expected
    assert output_of(capsys, *call, "markdown").splitlines()[:7] == [
        "| country | metric | queries | bm25 |",
        "| :-- | :-- | --: | --: |",
        "| all | recall@10 | 2 | 0.7500 |",
        "| BE | recall@10 | 1 | 1.0000 |",
        "| NL | recall@10 | 1 | 0.5000 |",
        "",
        "bm25: 2 queries judged, 2 retrieved  ",
    ]


@pytest.mark.parametrize("ending", ["parquet", "csv", "json"])
def test_per_query_writes_all_values_and_no_other_file(files: tuple[str, str], tmp_path: Path, ending: str) -> None:
    run, qrels = files
    target = tmp_path / f"o'ut.{ending}"
    assert main(["evaluate", run, "--qrels", qrels, *COLUMNS, "--per-query", str(target)]) == 0
    assert duckdb.execute(f'FROM "{target}"').fetchall() == [("bm25", 1, 0.5), ("bm25", 2, 1.0)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["bm25.parquet", target.name, "qrels.parquet"])


def test_a_failed_write_is_reported_and_keeps_an_existing_file(
    files: tuple[str, str], tmp_path: Path, capsys: Output
) -> None:
    run, qrels = files
    call = ["evaluate", run, "--qrels", qrels, *COLUMNS, "--per-query"]
    assert "--per-query: cannot write" in error_of(capsys, *call, str(tmp_path / "nowhere" / "out.parquet"))
    old = tmp_path / "out.parquet"
    old.write_text("kept")
    assert main([*call, str(old), "-m", "recall@0"]) == 2
    assert old.read_text() == "kept"
    assert "must end in .parquet or .csv or .json" in error_of(capsys, *call, tmp_path / "out.txt")


def test_a_mistake_prints_one_message_and_exits_with_2(files: tuple[str, str]) -> None:
    run, qrels = files
    done = command("evaluate", run, "--qrels", qrels, "-m", "recal@5", *COLUMNS)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("recall-duckdb: there is no metric 'recal' (in 'recal@5'). Did you mean 'recall'?")
    assert command("evaluate", "--format", "xml", run).returncode == 2
    assert command().returncode == 2


# A command, and what its error says.
MISTAKES = {
    "evaluate {run} {asked} --query user": "no column 'user' (--query)",
    "evaluate {run} {asked} --min-score nan": ": --min-score: a finite number is expected",
    "evaluate {run} {asked} --memory-limit lots": "--memory-limit",
    "evaluate {run} {asked} --threads 0": "--threads: a number from 1 to 1024 is expected, not 0",
    "evaluate {run} {asked} --score score --rank rank": "Pass either --score or --rank, not both",
    "evaluate {run} {run} {asked}": "two runs are called 'bm25'",
    "evaluate =run.csv --qrels qrels.csv": "duckdb: run: '=run.csv' needs a name before its equals sign\n",
    "evaluate bm25= --qrels qrels.csv": "duckdb: run: 'bm25=' needs a path after its equals sign\n",
    "sql recs --qrels bought --form view": "duckdb: --name: --form view needs a name",
    "check recs --qrels sales --database {run}.none": "duckdb: --database: ",
}


def test_a_mistake_names_the_option(files: tuple[str, str], capsys: Output) -> None:
    run, qrels = files
    for command, message in MISTAKES.items():
        arguments = command.format(run=run, asked=f"--qrels {qrels} {' '.join(COLUMNS)}").split()
        assert message in error_of(capsys, *arguments), command


REPEAT = (
    "Pass runs without an option, one after the other, and repeat an option for each of its values. See recall-duckdb"
)
TWICE = "was given twice, but it takes one value: pass it once. See recall-duckdb evaluate"
# A command that cannot be parsed, and the end of its error, without the option --help.
HINTS = {
    "evaluate a --missng skip": "--missng skip. Did you mean '--missing'? See recall-duckdb evaluate",
    "evaluate a --qrels b a": f"{REPEAT} evaluate",
    "agreement a --qrels x --baseline x": "--qrels is an option of evaluate. See recall-duckdb agreement",
    "sql a --qrels b --at-least rr=0.1": "name rr with -m, and pass 0.1. See recall-duckdb sql",
    "explain 1 a --at-least rr=0.1": "--at-least is an option of evaluate. See recall-duckdb explain",
    "check a --max-drop 0.1": "--max-drop is an option of evaluate. See recall-duckdb check",
    "evaluate a --baseline x": "--baseline is an option of compare. See recall-duckdb evaluate",
    "evalute a": "there is no command 'evalute'. Did you mean 'evaluate'? See recall-duckdb",
    "evaluate --run a": f"--run. {REPEAT} evaluate",
    "evaluate a --metrics=rr": "--metrics=rr. Did you mean '--metric'? See recall-duckdb evaluate",
    "check a --ties item": "--ties is an option of evaluate. See recall-duckdb check",
    "sql a --fom view": "Did you mean '--form'? See recall-duckdb sql",
    "evaluate a -k 5": "-k 5. A cutoff is part of a metric, as in -m recall@5. See recall-duckdb evaluate",
    "evaluate a --qrels x --qrels y": f"evaluate: --qrels {TWICE}",
    "pool a -o x.csv": "-o x.csv. To write the output to a file, end the command with > FILE. See recall-duckdb pool",
    "evaluate a --ties item --ties=item_desc": f"evaluate: --ties {TWICE}",
    "evaluate a --threads 1 --threads 1": f"evaluate: --threads {TWICE}",
}


def test_a_command_that_cannot_be_parsed_gets_a_hint(capsys: Output) -> None:
    for command, hint in HINTS.items():
        fails(SystemExit, "2", main, command.split())
        assert f"{hint} --help\n" in capsys.readouterr().err, command


def test_advice_names_options_of_the_command(tmp_path: Path, capsys: Output) -> None:
    run, qrels = (str(tmp_path / name) for name in ("run.parquet", "rank= .parquet"))
    # the user's names and values look like advice, but must not change
    columns = {"nulls": ["drop"], "item": ["rank= "]}
    pl.DataFrame({**columns, "score": [None]}).cast({"score": float}).write_parquet(run)
    pl.DataFrame({**columns, "relevance": [1]}).write_parquet(qrels)
    call = [run, "--qrels", qrels, "--query", "nulls"]
    advice = "Fill in the score, or pass {0} drop to leave out such rows, or {0} last to rank them last."

    assert main(["evaluate", *call]) == 2
    example = "for example nulls='drop', item='rank= '."
    assert capsys.readouterr().err.endswith(f"{example} {advice.format('--nulls')}\n")
    fails(DataError, "or pass nulls='drop' to", evaluate, run, qrels, query="nulls")

    assert main(["check", *call, "--format", "json"]) == 1
    told = [fault["do"] for fault in json.loads(capsys.readouterr().out)]
    assert advice.format("evaluate --nulls") in told

    assert main(["evaluate", *call, "--relevance", "grade"]) == 2
    assert "(" + qrels + ") has no column 'grade' (--relevance)" in capsys.readouterr().err


def test_an_input_file_is_not_overwritten(files: tuple[str, str], capsys: Output) -> None:
    run, qrels = files
    parent = Path(run).parent
    for read in (run, f"named={run}", parent / "*m25.parquet", parent, f"file://{run}", f"file:{run}"):
        held = Path(run).read_bytes()
        message = error_of(capsys, "evaluate", read, "--qrels", qrels, *COLUMNS, "--per-query", run)
        assert f"--per-query: {run!r} is one of the input files. Choose another path" in message
        assert Path(run).read_bytes() == held
    folder = parent / "runs"
    folder.mkdir()
    Path(run).rename(folder / "bm25.parquet")
    values = str(folder / "values.csv")  # only the parquet files of a folder are read
    for _ in range(2):
        assert main(["evaluate", str(folder), "--qrels", qrels, *COLUMNS, "--per-query", values]) == 0
    run = str(folder)
    assert main(["evaluate", run, "--qrels", qrels, *COLUMNS, "--per-query", "a" * 300 + ".csv"]) == 2
    assert "File name too long" in capsys.readouterr().err


def test_policies_and_limits_are_options(files: tuple[str, str], capsys: Output) -> None:
    run, qrels = files
    call = ["evaluate", run, "--qrels", qrels, *COLUMNS, "-m", "precision@10", "--format", "csv"]
    assert main([*call, "--precision", "retrieved", "--memory-limit", "1GB", "--threads", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "bm25,precision,10,0.75,2"


def test_sql_prints_the_statement_that_evaluate_would_run(files: tuple[str, str], capsys: Output) -> None:
    run, qrels = files
    assert main(["sql", run, "--qrels", qrels, *COLUMNS]) == 0
    assert duckdb.execute(capsys.readouterr().out).fetchall() == [("bm25", "recall", 10, 0.75, 2)]
    assert "FROM recs" in output_of(capsys, "sql", "recs", "--qrels", "bought", "--dialect", "postgres")
    assert "Did you mean 'postgres'?" in error_of(capsys, "sql", "recs", "--qrels", "bought", "--dialect", "postgre")


def test_metrics_lists_each_with_its_definition_options_other_names_and_source(capsys: Output) -> None:
    of = {part.splitlines()[0]: part for part in output_of(capsys, "metrics").split("\n\n")}
    assert of["recall@k"].splitlines()[1] == "  The share of a query's relevant items that are in its top k: h_k / R."
    assert "  also: recall_k, set_recall, R@k, SetR" in of["recall@k"]
    assert "  source: trec_eval 10.0, m_recall.c" in of["recall@k"]
    assert "  options: p is a number above 0 and below 1 (default: 0.9); gain is binary, linear or" in of["rbp@k"]
    assert (
        "  also: rbp_p=x (p=x, gain=scaled), RBP(rel=x) (p=0.8, threshold=x), RBP (p=0.8, gain=linear)," in of["rbp@k"]
    )
    assert "  also: set_F, set_F_x (beta=sqrt(x)), SetF(beta=x) (beta=sqrt(x)), SetF\n" in of["fbeta@k"]
    assert "  also: iprec_at_recall_x (recall=x), IPrec@x (recall=x)" in of["iprec"]
    others = "rel= means threshold=, dcg= means gain=, gains= means gain=, max_rel= means max_grade="
    assert f"In other names, x is a number; {others}." in of
    assert "  needs: --training" in of["novelty@k"]
    assert {"bpref", "ndcg@k", "coverage@k", "eleven_point"} <= of.keys()


def test_a_closed_pipe_is_no_error() -> None:
    program = [sys.executable, "-m", "recall_duckdb", "metrics"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_output_that_cannot_be_written_exits_with_2(files: tuple[str, str]) -> None:
    run, qrels = files
    program = [sys.executable, "-m", "recall_duckdb", "evaluate", f"é={run}", "--qrels", qrels, *COLUMNS]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=ascii_only)
    assert done.returncode == 2
    assert done.stderr.startswith("recall-duckdb: the output cannot be written as ascii")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "recall-duckdb: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("kind", ["view", "table"])
def test_a_statement_to_paste_ends_with_a_semicolon_and_replaces_nothing(kind: str, capsys: Output) -> None:
    assert main(["sql", "recs", "--qrels", "bought", "--dialect", "snowflake", "--form", kind, "--name", "made"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"CREATE {kind.upper()} made AS\n")
    assert text.endswith(";\n")
    assert main(["sql", "recs", "--qrels", "bought", "--dialect", "snowflake"]) == 0
    assert not capsys.readouterr().out.endswith(";\n")  # it may become part of a statement


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_version_and_the_list_of_commands_do_not_wait_for_duckdb(option: str) -> None:
    code = (
        "import sys\nfrom recall_duckdb.cli import main\n"
        f"try:\n    main(['{option}'])\nexcept SystemExit:\n    print({{'duckdb', 'sqlglot'}} & {{*sys.modules}})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout.splitlines()[-1] == "set()", done.stderr


@pytest.fixture
def database(tmp_path: Path) -> str:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        for name, columns in (("recs", RUN), ("sales", QRELS)):
            connection.register("columns", pl.DataFrame(columns))
            connection.execute(f"CREATE TABLE {name} AS FROM columns")
    return str(tmp_path / "shop.duckdb")


@pytest.mark.parametrize(
    "run",
    [
        "recs",
        "(FROM recs)",
        "query_table('recs')",
        "recs=query_table('recs')",
        "recs=(SELECT * FROM recs WHERE score > 0.1)",
    ],
)
def test_tables_and_queries_of_a_database_file_are_evaluated(run: str, database: str, capsys: Output) -> None:
    arguments = ["evaluate", run, "--qrels", "(FROM sales WHERE relevance = 1)", *COLUMNS, "-m", "recall@2"]
    assert main([*arguments, "--database", database, "--format", "json"]) == 0
    assert [row["value"] for row in json.loads(capsys.readouterr().out)] == [0.75]


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (["(DROP TABLE recs)"], "run: DuckDB cannot read the query: Parser Error"),
        (["(FROM recs); (FROM sales)"], "run: one query is expected, and no other statement"),
        (["rec"], "run: there is no file, table or view 'rec'. Did you mean 'recs'?"),
        (["(FROM recs)", "(FROM sales)"], "run: '(FROM recs)' needs a name, as in bm25=(SELECT …)"),
        (["SELECT * FROM recs"], "run: 'SELECT * FROM recs' is a query, not a table. Put it in parentheses"),
    ],
)
def test_other_texts_than_one_query_are_refused(run: list[str], said: str, database: str, capsys: Output) -> None:
    assert said in error_of(capsys, "evaluate", *run, "--qrels", "sales", *COLUMNS, "--database", database)
