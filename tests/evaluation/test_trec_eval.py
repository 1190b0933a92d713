"""TREC files are read unchanged, and the output equals the lines of trec_eval."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from asking import fails, output_of
from folders import FIXTURES

from recall_duckdb import DataError, RecallError, UnknownNameError, check, evaluate
from recall_duckdb.cli import main

FILES = FIXTURES / "trec_eval"
CUTOFFS = "5,10,15,20,30,100,200,500,1000"
EVERY_MEASURE = [
    *("official", f"recall@{CUTOFFS}", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G", "ndcg"),
    *("ndcg_rel", "Rndcg", f"ndcg@{CUTOFFS}", f"ap@{CUTOFFS}", f"capped_recall@{CUTOFFS}", "success@1,5,10", "set"),
    *("num_nonrel_judged_ret", "rbp.p=0.9", "rbp_resid", "unj"),
]


def published(name: str, measures: set[str]) -> list[str]:
    """Return the lines of trec_eval 10 for the measures that we also have."""
    lines = (FILES / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.split("\t")[0].strip() in measures]


def measures_of(lines: list[str]) -> set[str]:
    return {line.split("\t")[0].strip() for line in lines}


@pytest.mark.parametrize(
    ("output", "run", "qrels", "options"),
    [
        ("out.comment.test", "results.comment.test.gz", "qrels.comment.test.gz", ["-m", "official"]),
        ("out.test.aq", "results.test", "qrels.test", ["-q"]),
        ("out.test.aqc", "results.trunc.gz", "qrels.test", ["-q"]),
        ("out.test.aqcM", "results.trunc.gz", "qrels.test", ["-q", "--depth", "100"]),
        ("out.test.aql", "results.test", "qrels.rel_level.gz", ["-q", "--threshold", "2"]),
    ],
)
def test_the_lines_equal_those_of_trec_eval(
    output: str, run: str, qrels: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = [] if "-m" in options else [part for name in EVERY_MEASURE for part in ("-m", name)]
    files = [str(FILES / run), "--qrels", str(FILES / qrels), "--format", "trec"]
    lines = output_of(capsys, "evaluate", *files, *metrics, *options).splitlines()
    assert lines == published(output, measures_of(lines))
    assert len(measures_of(lines)) >= (30 if "-m" in options else 97)


def test_official_prints_all_lines_of_trec_eval() -> None:
    result = evaluate(FILES / "results.test", FILES / "qrels.test", "official")
    assert result.to_trec().splitlines() == (FILES / "out.test").read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_all_trec_prints_all_98_measures_of_trec_eval() -> None:
    result = evaluate(FILES / "results.test", FILES / "qrels.test", "all_trec")
    lines = (FILES / "out.test.a").read_text(encoding="utf-8").splitlines()
    assert result.to_trec().splitlines() == lines
    assert len(lines) == 99  # the first line is the name of the run


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("P", [f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]),
        ("set", ["set_P", "set_relative_P", "set_recall", "set_map", "set_F"]),
        ("unj", ["unj_5", "unj_10", "unj_20"]),
        ("iprec_at_recall.0.1,0.2", ["iprec_at_recall_0.10", "iprec_at_recall_0.20"]),
    ],
)
def test_the_name_of_several_measures_stands_for_all_of_them(family: str, names: list[str]) -> None:
    lines = evaluate(FILES / "results.test", FILES / "qrels.test", family).to_trec().splitlines()
    assert [line.split("\t")[0].strip() for line in lines] == ["runid", *names]


def test_a_run_is_named_by_its_tag() -> None:
    result = evaluate(FILES / "results.test", FILES / "qrels.test", "map")
    assert list(result.counts) == ["STANDARD"]
    named = evaluate({"mine": FILES / "results.test"}, FILES / "qrels.test", "map")
    assert named.to_trec().splitlines() == ["runid                 \tall\tmine", "map                   \tall\t0.1785"]


def test_metrics_that_trec_eval_lacks_are_printed_with_our_names() -> None:
    run = {"query": ["q1", "q2"], "item": ["a", "b"], "score": [1.0, 1.0]}
    qrels = {"query": ["q1", "q2"], "item": ["a", "x"], "relevance": [1, 1]}
    result = evaluate({"first": run, "second": run}, qrels, ["dcg(gain=exponential)@5", "auc", "overlap@1"])
    assert result.to_trec(each_query=True).splitlines()[:6] == [
        "dcg(gain=exponential)@5\tq1\t1.0000",
        "auc                   \tq1\t0.0000",
        "dcg(gain=exponential)@5\tq2\t0.0000",
        "auc                   \tq2\t0.0000",
        "runid                 \tall\tfirst",
        "dcg(gain=exponential)@5\tall\t0.5000",
    ]


def test_each_query_requires_the_format_trec(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(FILES / "results.test"), "--qrels", str(FILES / "qrels.test"), "-q"]) == 2
    assert re.search("-q, --each-query: needs --format trec; .* --per-query FILE", capsys.readouterr().err)


def test_a_tsv_file_without_a_header_is_read_as_trec(tmp_path: Path) -> None:
    (tmp_path / "qrels.tsv").write_text("q1\t0\tb\t1\nq2\t0\tc\t1\n")
    (tmp_path / "run.tsv").write_text("q1\tQ0\ta\t1\t2.5\tbm25\nq1\tQ0\tb\t2\t1.5\tbm25\nq2\tQ0\tc\t1\t1\tbm25\n")
    result = evaluate(tmp_path / "run.tsv", tmp_path / "qrels.tsv", "rr")
    assert (result.value("rr"), list(result.counts)) == (0.75, ["bm25"])
    (tmp_path / "named.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tb\t1\nq2\tc\t1\n")  # as in BEIR
    names: dict[str, Any] = {"qrels_query": "query-id", "qrels_item": "corpus-id", "relevance": "score"}
    run = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [2.5, 1.5, 1.0]}
    assert evaluate(run, tmp_path / "named.tsv", "rr", **names).value("rr") == 0.75


@pytest.mark.parametrize(("role", "names"), [("run", "columns='query,item,score'"), ("qrels", "item,relevance'")])
def test_a_file_without_a_header_whose_columns_are_unknown_raises(role: str, names: str, tmp_path: Path) -> None:
    (tmp_path / "three.tsv").write_text("q1\tb\t1\nq2\tc\t2\n")
    relations: dict[str, Any] = {
        "run": {"query": ["q1"], "item": ["b"], "score": [1.0]},
        "qrels": {"query": ["q1"], "item": ["b"], "relevance": [1]},
    }
    with pytest.raises(UnknownNameError, match=rf"three.tsv\) has no header.*as in .*{names}"):
        evaluate(**relations | {role: tmp_path / "three.tsv"})


def refused(expected: str, run: object, qrels: object, **options: Any) -> None:
    """Expect an error that matches, from `evaluate` and `check`."""
    for ask in (evaluate, check):
        fails(DataError, expected, ask, run, qrels, "recall@1", **options)


TRUTH = {"1": ["10"]}


HASH = "a comment has the form of a TREC"
REFUSED: list[tuple[str, str, str, str]] = [  # the argument, the file, its text, and the message
    *(
        ("qrels", name, text, rf"{name}\) is no TREC file: its {told}")
        for name in ("u.data", "u1.test", "ratings.txt", "ratings.tsv", "Qrelation.dat")
        for text, told in (
            ("1\t10\t3\t881250949\n", "fourth field holds 881250949.*'1.t10.t3.t8812"),
            ("1\t10\t3\t5\n1\t11\t4\t6\n", "second field has several values, such as '10'"),
        )
    ),
    ("qrels", "train.txt", "1 7 10 8 9\n2 8\n", "train.txt.*has no lines of query iteration item.*'1 7 10 8 9'"),
    ("run", "run", "#1 Q0 a 1 0.9 mine\n2 Q0 a 1 0.9 mine\n", f"run', line 1: {HASH} run"),
    ("qrels", "qrels", "2 0 a 1\n#1 0 a 1\n", f"qrels', line 2: {HASH} qrels"),
    *(
        ("run", "run", f"1 Q0 10 1 0.5 mine\n{line}\n", rf"run', line 2: .*{line}")
        for line in ("1 Q0 Rocky 4 1 0.5 mine", "1 Q0 10 1 1_0 mine", "1 Q0 10 1 0.5")
    ),
    *(("run", name, "", "The run has no rows") for name in ("run.trec", "run", "u.data")),
    *(("qrels", name, "", "The qrels have no rows") for name in ("run.trec", "run", "u.data")),
    ("run", "run", "# nothing\n", "The run has no rows"),
    ("qrels", "qrels.csv", "query,item,relevance\n1,a,1_000\n1,b,0\n", "holds '1_000'"),
]  # fmt: skip


@pytest.mark.product
@pytest.mark.parametrize(("argument", "name", "text", "message"), REFUSED)
@pytest.mark.parametrize("query", ["2", 2])
def test_what_is_no_trec_file_is_refused(
    argument: str, name: str, text: str, message: str, query: object, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    given = {"run": {query: ["10"]}, "qrels": {query: ["10"]}, argument: tmp_path / name}
    for ask in (evaluate,) if "no rows" in message else (evaluate, check):
        fails(RecallError, message, ask, **given, metrics="recall@1")


def test_lines_that_begin_with_a_hash_are_comments(tmp_path: Path) -> None:
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("# made by bm25\nq1 Q0 doc#1 1 0.9 bm25\n  # the second query\n\nq2 Q0 #doc 1 0.8 bm25\n#\n")
    qrels.write_text("#\n# judged by hand\nq1 0 doc#1 1\nq2 0 #doc 1\n")
    with evaluate(run, qrels, "recall@1") as result:
        assert result.per_query.order("query").fetchall() == [("bm25", "q1", 1.0), ("bm25", "q2", 1.0)]


@pytest.mark.parametrize("name", ["qrels.txt", "2020-qrels-v5", "judged.qrels", "judged.trec.gz", "QRELS"])
def test_a_file_named_as_trec_may_have_several_iterations(name: str, tmp_path: Path) -> None:
    content = b"1 0.5 10 2\n1 4.5 11 0\n"
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert evaluate(TRUTH, tmp_path / name, "recall@1").value("recall@1") == 1.0


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("1 0 10 8 9", "1 0 10 1"), ("1\t0\tRocky\t4\t1", "1\t0\tRocky 4\t1"), ("1\t0\tRocky 4", "1\t0\tRocky 4\t1"),
        ("1 0 10\t1", "1 0 10 1"), ("1 0 10 1_000", "1 0 10 1"), ("1 0 10 x", "1 0 10 1"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_have_the_fields_of_qrels_is_shown_with_its_number(
    line: str, other: str, tmp_path: Path
) -> None:
    (tmp_path / "first").write_text(f"{other}\n")
    (tmp_path / "second").write_text(f"# judged by hand\n\n{other}\n{line}\n")
    expected = rf"second', line 4: .*form of a TREC qrels file .*{re.escape(repr(line))}"
    refused(expected, TRUTH, tmp_path / "second")
    refused(expected, TRUTH, [tmp_path / "first", tmp_path / "second"])


def test_ids_with_blanks_stay_whole_in_files_of_tabs(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("u\tQ0\tRocky 4\t1\t 2.0\tmine\nu\tQ0\tRocky 2\t2\t 1.0\tmine\n")
    (tmp_path / "qrels").write_text("u\t0\tRocky 2\t1\n")
    result = evaluate(tmp_path / "run", tmp_path / "qrels", "recall@1,2")
    assert (result.value("recall@1"), result.value("recall@2")) == (0.0, 1.0)


def test_a_run_of_two_tags_needs_their_column(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 3 bm25\n1 Q0 b 1 4 dense\n")
    qrels = {"1": ["a"]}
    for run in (tmp_path / "run", {"mine": tmp_path / "run"}):
        refused("several tags, such as 'bm25', 'dense'. Pass model='tag' to evaluate each", run, qrels)
    result = evaluate(tmp_path / "run", qrels, "recall@1", model="tag")
    assert (result.value("recall@1", model="bm25"), result.value("recall@1", model="dense")) == (1.0, 0.0)


def test_a_glob_may_stand_for_trec_files(tmp_path: Path) -> None:
    for number, query in enumerate("12"):
        (tmp_path / f"part{number}.run").write_text(f"{query} Q0 a 1 3 bm25\n")
    assert evaluate(str(tmp_path / "*.run"), {"1": ["a"], "2": ["b"]}, "recall@1").value("recall@1") == 0.5
