"""Gates on the command line: the exit status is 1 if a mean is too low, and a line says which."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from asking import Output, error_of, fails, output_of
from folders import ROOT

from recall_duckdb.cli import main
from recall_duckdb.comparison.gates import Gate, Outcome

Lists = dict[str, list[str]]
HITS: dict[str, Lists] = {
    "old": {"q1": ["a"], "q2": ["a"], "q3": ["x"], "q4": ["a"]},
    "new": {"q1": ["a"], "q2": ["x"], "q3": ["x"], "q4": ["a"]},
    "other": {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q5": ["a"]},
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with runs, with qrels by country, and with the values of the old run."""
    folder = tmp_path_factory.mktemp("written")
    for model, lists in HITS.items():
        rows = [(query, item, 1.0) for query, items in lists.items() for item in items]
        write(folder / f"{model}.csv", ["query", "item", "score"], rows)
    judged = [(query, "a", 1, "NL" if query < "q3" else "BE") for query in ("q1", "q2", "q3", "q4")]
    write(folder / "qrels.csv", ["query", "item", "relevance", "country"], judged)
    write(folder / "more.csv", ["query", "item", "relevance", "country"], [*judged, ("q5", "a", 1, "BE")])
    assert run(folder, "old", "--per-query", str(folder / "old.parquet")) == 0
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return shutil.copytree(written, tmp_path, dirs_exist_ok=True)


def write(path: Path, header: list[str], rows: list[tuple[Any, ...]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def run(folder: Path, model: str, *options: str, qrels: str = "qrels") -> int:
    """Evaluate recall@1 of a run; return the exit status."""
    return main(
        ["evaluate", str(folder / f"{model}.csv"), "--qrels", str(folder / f"{qrels}.csv"), "-m", "recall@1", *options]
    )


def keep(folder: Path, values: list[float]) -> str:
    """Write these values of recall@1 for the four queries; return the path."""
    write(folder / "kept.csv", ["query", "recall@1"], [(f"q{n}", value) for n, value in enumerate(values, 1)])
    return str(folder / "kept.csv")


def failed(capsys: Output) -> list[str]:
    """Return the lines on standard error, except on gates that passed, without the name of the program."""
    lines = [line.removeprefix("recall-duckdb: ") for line in capsys.readouterr().err.splitlines()]
    return [line for line in lines if not line.startswith("gate passed: ")]


FALL = "recall@1 of new is 0.5000, below the baseline's 0.7500 by 0.25"
VERDICTS = {  # F has the kept values of the old run
    "old --at-least recall@1=0.75": [],
    "old --at-least recall@1=0.8": ["gate failed: recall@1 of old is 0.7500, below 0.8"],
    "old --at-least recall@1=9e-1": ["gate failed: recall@1 of old is 0.7500, below 9e-1"],
    "old --at-least recall@1=0.75000001": ["gate failed: recall@1 of old is 0.75000000, below 0.75000001"],
    "old --at-least R@1=0.75 --by country": ["gate failed: recall@1 of old in country=BE is 0.5000, below 0.75"],
    "old --not-below F": [],
    "new --not-below F": [f"gate failed: {FALL}"],
    "new --not-below F --max-drop 0.25": [],
    "new --not-below F --max-drop 0.24": [f"gate failed: {FALL}; at most 0.24 is allowed"],
    "new --not-below F --significant": [
        "warning: recall@1 of new may be lower by more than 5%: 4 queries are too few to tell"
    ],
}


def test_a_mean_must_meet_a_limit_and_must_not_be_below_that_of_kept_values(folder: Path, capsys: Output) -> None:
    """A limit is shown as it was given."""
    for words, lines in VERDICTS.items():
        model, *options = words.replace(" F", f" {folder / 'old.parquet'}").split()
        assert run(folder, model, *options) == any(line.startswith("gate failed") for line in lines), words
        assert failed(capsys) == lines, words


@pytest.mark.parametrize(("drop", "status"), [("0.1", 0), ("0.0999", 1)])  # in binary, the drop is a little above 0.1
def test_a_drop_may_be_as_large_as_its_limit(drop: str, status: int, folder: Path) -> None:
    kept = keep(folder, [1.1, 1.1, 0.1, 1.1])
    assert run(folder, "old", "--not-below", kept, "--max-drop", drop) == status


def test_a_drop_is_significant_only_after_the_correction_for_several_models(folder: Path, capsys: Output) -> None:
    """Given p = 0.035, one model fails; of two, p is twice as large."""
    kept = keep(folder, [1.1, 1.2, 0.3, 1.1])
    assert run(folder, "old", "--not-below", kept, "--significant") == 1
    fall = "recall@1 of old is 0.7500, below the baseline's 0.9250 by 0.175, p = 0.03535"
    assert failed(capsys) == [f"gate failed: {fall}"]
    two = [f"{name}={folder / 'old.csv'}" for name in ("one", "two")]
    question = ["--qrels", str(folder / "qrels.csv"), "-m", "recall@1", "--not-below", kept, "--significant"]
    assert main(["evaluate", *two, *question]) == 0
    warned = [line.partition(" may")[0] for line in failed(capsys)]
    assert warned == ["warning: recall@1 of one", "warning: recall@1 of two"]


@pytest.mark.parametrize(
    ("change", "warns"),
    [(0.0203, False), (0.0205, True)],  # the interval ends at 1.837 times this; 5% of the mean 0.75 are 0.0375
)
def test_a_drop_of_more_than_5_percent_of_the_baseline_may_be_missed(
    change: float, warns: bool, folder: Path, capsys: Output
) -> None:
    kept = keep(folder, [1 - change, 1 + change, -change, 1 + change])
    assert run(folder, "old", "--not-below", kept, "--significant") == 0
    assert bool(failed(capsys)) == warns


def test_means_that_four_decimals_cannot_tell_apart_have_more(folder: Path, capsys: Output) -> None:
    kept = folder / "kept.csv"
    write(kept, ["query", "recall@1"], [("q1", 1), ("q2", 1.00001), ("q3", 0), ("q4", 1)])
    assert run(folder, "old", "--not-below", str(kept)) == 1
    assert failed(capsys) == ["gate failed: recall@1 of old is 0.750000, below the baseline's 0.750003 by 2.5e-06"]


@pytest.mark.parametrize(("metric", "baseline"), [("clicks@10", "file"), ("clicks@10", "old"), ("delay@10", "file")])
def test_a_mean_that_should_be_low_must_not_rise(metric: str, baseline: str, folder: Path, capsys: Output) -> None:
    """Given clicks@10 of 0 for a query with its relevant item and 2 for one without, and the user's copy of clicks."""
    own = (ROOT / "sql" / "4_metrics" / "clicks.sql").read_text().replace("clicks", "delay")
    (folder / "delay.sql").write_text(own)
    question = ["--qrels", str(folder / "qrels.csv"), "-m", metric, "--metric-folder", str(folder)]
    old, new, kept = (str(folder / name) for name in ("old.csv", "new.csv", "clicks.csv"))
    assert main(["evaluate", old, *question, "--per-query", kept]) == 0
    runs, name, against = ([new], "new", kept) if baseline == "file" else ([old, new], "new", "old")
    capsys.readouterr()
    rise = f"gate failed: {metric} of {name} is 1.0000, above the baseline's 0.5000 by 0.5"
    few = f"warning: {metric} of {name} may be higher by more than 5%: 4 queries are too few to tell"
    for more, lines in (
        ([], [f"{rise}; lower is better"]),
        (["--max-drop", "0.4"], [f"{rise}; at most 0.4 is allowed; lower is better"]),
        (["--max-drop", "0.5"], []),
        (["--significant"], [few]),
    ):
        assert main(["evaluate", *runs, *question, "--not-below", against, *more]) == (rise in "".join(lines))
        assert failed(capsys) == lines
    assert main(["evaluate", old, new, *question, "--not-below", "new"]) == 0  # a fall


LIMIT, DROP = "a finite limit is expected, as in recall@1=0.3", "--max-drop: a finite number of at least 0 is expected"
HIGH = "all values are from 0 to 1, so no mean can drop by more than 5. Pass 0.05 for five points"
MISTAKES = {
    "--at-least recall@1=nan": f"--at-least: {LIMIT}, not 'nan'",
    "--at-least recall@1=-inf": f"--at-least: {LIMIT}, not '-inf'",
    "--at-least recall@1=1e999": f"--at-least: {LIMIT}, not '1e999'",
    "--max-drop 5": f"--max-drop: {HIGH}",
    "--max-drop inf": f"{DROP}, not inf",
    "--max-drop nan": f"{DROP}, not nan",
    "--max-drop=-1": f"{DROP}, not -1",
    "--max-drop 1_0": f"{DROP}, not 1_0",
    "--max-drop １": f"{DROP}, not １",
    "--at-least rr=1_0": "--at-least: a metric and its limit are expected, as in recall@10=0.3, not 'rr=1_0'",
    "--at-least recall@5>=0.1": "--at-least: write recall@5=0.1: the mean must be at least that",
    "--at-least recall@1,5=0.3": "--at-least: one metric is expected, as in recall@1=0.3; repeat the option",
    "--threshold nan": "--threshold: a finite number is expected (below 1.8e308), not nan",
    "--min-score=-inf": "--min-score: a finite number is expected (below 1.8e308), not -inf",
    "--depth 0": "--depth: must be a whole number from 1 to 999999999999999999, not 0",
    "--threads=-1": "--threads: a number from 1 to 1024 is expected, not -1",
}
UNTRIED = {
    "--max-drop 0.1": "--max-drop: there is nothing to compare with. Pass --not-below too",
    "--common": "--common: there is nothing to compare with. Pass --not-below too",
    "--not-below F --max-drop 0.1 --significant": "--max-drop: pass either --max-drop or --significant, not both",
    "--at-least recall@1": "--at-least: a metric and its limit are expected, as in recall@10=0.3, not 'recall@1'",
    "--at-least ap=0.5": (
        "--at-least: 'ap' is not among the metrics that were asked for, 'recall@1'. Pass --metric ap too"
    ),
    "--not-below none.parquet": "--not-below: there is no file 'none.parquet'",
    "--not-below F -m ap": "--not-below: values of 'F' (F) has no numeric column 'ap'. It has 'recall@1'",
    "--not-below F --by country": (
        "--not-below: 'F' has no values by 'country'. Write it with --by country too, or leave out --by"
    ),
    "--junit gates.xml": "--junit: there is no gate. Pass --at-least or --not-below too",
}


def test_a_limit_that_no_mean_can_miss_is_refused(folder: Path, capsys: Output) -> None:
    """And a gate that cannot be tried ends with 2, too."""
    kept = str(folder / "old.parquet")
    mistakes = {f"--not-below F {options}": message for options, message in MISTAKES.items()} | UNTRIED
    for options, message in mistakes.items():
        assert run(folder, "new", *(kept if option == "F" else option for option in options.split())) == 2, options
        assert failed(capsys) == [message.replace("'F'", repr(kept)).replace("(F)", f"({kept})")], options


@pytest.mark.product
@pytest.mark.parametrize("directory", ["recall@1=0", "query=q1", "model=old", "day=1"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_a_directory_is_no_column_of_kept_values(folder: Path, directory: str, ending: str, capsys: Output) -> None:
    kept = folder / directory / f"values.{ending}"
    kept.parent.mkdir()
    assert run(folder, "old", "--per-query", str(kept)) == 0
    assert run(folder, "new", "--not-below", str(kept)) == 1
    assert failed(capsys) == ["gate failed: recall@1 of new is 0.5000, below the baseline's 0.7500 by 0.25"]
    again = kept.with_name(f"again.{ending}")
    again.write_bytes(kept.read_bytes())
    asked = ["compare", "--values", f"a={kept}", f"b={again}", "--baseline", "a", "--format", "csv"]
    assert output_of(capsys, *asked).splitlines()[1].startswith("b,recall,1,4,0,0.75,0.75,0.0,")


def test_a_gate_holds_in_each_slice(folder: Path, capsys: Output) -> None:
    by_country = str(folder / "by.parquet")
    assert run(folder, "old", "--by", "country", "--per-query", by_country) == 0
    assert run(folder, "new", "--by", "country", "--not-below", by_country, "--max-drop", "0.3") == 1
    assert failed(capsys) == [
        "gate failed: recall@1 of new in country=NL is 0.5000, below the baseline's 1.0000 by 0.5; "
        "at most 0.3 is allowed"
    ]


def test_the_queries_must_be_the_same(folder: Path, capsys: Output) -> None:
    kept = ["--not-below", str(folder / "old.parquet"), "--max-drop", "1"]
    assert run(folder, "other", *kept, qrels="more") == 1
    assert failed(capsys) == [
        "gate failed: other and the baseline have different queries: 1 query counts for only one of them. Evaluate the "
        "same queries, or pass --common"
    ]
    assert run(folder, "other", *kept, "--common", qrels="more") == 0


def test_each_model_is_compared_with_its_namesake(folder: Path, capsys: Output) -> None:
    runs = [f"{model}={folder / model}.csv" for model in ("old", "new")]
    swapped = [f"old={folder / 'new'}.csv", f"new={folder / 'old'}.csv"]
    question = ["--qrels", str(folder / "qrels.csv"), "-m", "recall@1"]
    both = str(folder / "both.parquet")
    assert main(["evaluate", *runs, *question, "--per-query", both]) == 0
    assert main(["evaluate", *runs, *question, "--not-below", both]) == 0
    capsys.readouterr()
    assert main(["evaluate", *swapped, *question, "--not-below", both]) == 1
    assert failed(capsys) == ["gate failed: recall@1 of old is 0.5000, below the baseline's 0.7500 by 0.25"]
    assert main(["evaluate", f"newest={folder / 'new'}.csv", *question, "--not-below", both]) == 2
    assert failed(capsys) == [
        f"--not-below: {both!r} has no values of 'newest'. It has those of 'new', 'old'. "
        "Name the model after one of them, as in new=PATH"
    ]


def test_one_of_two_columns_with_a_name_is_no_baseline(folder: Path, capsys: Output) -> None:
    (folder / "twice.csv").write_text("query,recall@1,Recall@1\nq1,0,1\n")
    assert run(folder, "new", "--not-below", str(folder / "twice.csv")) == 2
    assert "several columns are named 'recall@1'" in failed(capsys)[0]


def test_a_run_is_no_baseline_of_values(folder: Path, capsys: Output) -> None:
    for path in ("old.csv", "qrels.csv"):
        assert run(folder, "new", "--not-below", str(folder / path)) == 2
        [line] = failed(capsys)
        assert "has no numeric column 'recall@1'" in line
        assert line.endswith("pass it next to the others, as in live=run.parquet, and --not-below live")


def test_only_values_that_pass_replace_the_baseline(folder: Path, capsys: Output) -> None:
    kept = str(folder / "old.parquet")
    before = (folder / "old.parquet").read_bytes()
    for _ in range(2):
        assert run(folder, "new", "--not-below", kept, "--per-query", kept) == 1
        assert f"warning: {kept} was not replaced, because a gate failed" in capsys.readouterr().err
    assert (folder / "old.parquet").read_bytes() == before
    assert run(folder, "new", "--not-below", kept, "--max-drop", "1", "--per-query", kept) == 0
    assert (folder / "old.parquet").read_bytes() != before
    assert run(folder, "new", "--not-below", kept) == 0


def test_judgements_are_no_kept_values(folder: Path, capsys: Output) -> None:
    (folder / "judged.trec").write_text("1 0 a 1\n2 0 b 0\n")
    assert run(folder, "new", "--not-below", str(folder / "judged.trec")) == 2
    assert "has no header, so its columns have no names. Give it one, such as query,recall@10" in failed(capsys)[0]


def test_a_gate_that_compares_nothing_does_not_pass(folder: Path, capsys: Output) -> None:
    run_file, qrels, kept = (str(folder / name) for name in ("new.csv", "qrels.csv", "old.parquet"))
    metric = "recall(mean=median)@1"
    assert main(["evaluate", run_file, "--qrels", qrels, "-m", metric, "--not-below", kept]) == 2
    assert "--not-below: nothing can be compared" in capsys.readouterr().err


def test_metrics_of_the_whole_run_are_not_compared(folder: Path, capsys: Output) -> None:
    write(folder / "items.csv", ["item"], [("a",), ("x",)])
    more = ["-m", "coverage@1", "--catalog", str(folder / "items.csv")]
    assert run(folder, "old", "--not-below", str(folder / "old.parquet"), *more) == 0
    assert failed(capsys) == [
        "warning: coverage@1 is not compared: files of values have only arithmetic means over queries"
    ]


def test_a_limit_of_a_metric_of_the_whole_run_is_not_tried_in_slices(folder: Path, capsys: Output) -> None:
    """Slices have no coverage, which must not fail a gate."""
    write(folder / "items.csv", ["item"], [("a",), ("x",)])
    more = ["-m", "coverage@1", "--catalog", str(folder / "items.csv"), "--by", "country"]
    assert run(folder, "old", "--at-least", "coverage@1=0.9", *more) == 0
    assert run(folder, "other", "--at-least", "coverage@1=0.9", *more) == 1
    assert failed(capsys) == ["gate failed: coverage@1 of other is 0.5000, below 0.9"]


@pytest.mark.slow
def test_the_share_of_judged_items_is_no_quality(folder: Path, capsys: Output) -> None:
    """Given a lower judged@1, --not-below fails only if no other metric is asked for."""
    kept = str(folder / "kept.parquet")
    asked = ["evaluate", str(folder / "new.csv"), "--qrels", str(folder / "qrels.csv"), "-m", "judged@1"]
    assert run(folder, "old", "-m", "judged@1", "-m", "recall@2", "--per-query", kept) == 0
    assert main([*asked, "-m", "recall@2", "--not-below", kept, "--max-drop", "0.3"]) == 0
    assert "warning: judged@1 is not compared: it says nothing about quality; --at-least can limit it" in failed(capsys)
    assert main([*asked, "--not-below", kept]) == 1
    assert main([*asked, "-m", "recall@2", "--at-least", "judged@1=0.9"]) == 1


def test_nothing_passes_without_a_value(folder: Path, capsys: Output) -> None:
    """With empty='allow', empty qrels have means without a value."""
    query = f"(SELECT * FROM '{folder / 'qrels'}.csv' WHERE country = 'DE')"
    runs = [f"old={folder / 'old'}.csv", f"new={folder / 'new'}.csv", "--qrels", query]
    runs += ["-m", "recall@1", "--empty", "allow"]
    nothing = (
        "no metric has a value for any query. Check the run and the qrels, and the policies that leave out queries or "
        "allow empty data"
    )
    junit = folder / "gates.xml"
    limit = ["--at-least", "recall@1=0"]
    gates = [limit, *(["--not-below", "old", *more] for more in ([], ["--significant"], ["--max-drop", "1"]))]
    capsys.readouterr()
    for gate in gates:
        assert main(["evaluate", *runs, *gate, "--junit", str(junit)]) == 1
        err = capsys.readouterr().err
        assert "gate passed" not in err
        told = "recall@1 of old has no value, so it is not at least 0" if gate is limit else nothing
        assert f"gate failed: {told}" in err
        suite = ElementTree.parse(junit).getroot()[0]
        assert suite.get("failures") == suite.get("tests") == "1"
    page, history = folder / "report.html", folder / "history"
    for command in (
        ["compare", *runs],
        ["compare", *runs, "--baseline", "old"],
        ["evaluate", *runs, "--intervals"],
        ["evaluate", *runs, "--append", str(history)],
        ["report", *runs, "--output", str(page)],
    ):
        assert nothing in error_of(capsys, *command)
    assert not page.exists()
    assert not history.exists()


@pytest.mark.parametrize(
    ("queries", "why"), [(1, "which a single query cannot test"), (3, "in every query alike, so there is no p")]
)
def test_a_fall_without_p_is_significant(queries: int, why: str, folder: Path, capsys: Output) -> None:
    names = [f"q{number}" for number in range(queries)]
    write(folder / "qrels.csv", ["query", "item", "relevance"], [(name, "a", 1) for name in names])
    write(folder / "old.csv", ["query", "item", "score"], [(name, "a", 1) for name in names])
    write(folder / "new.csv", ["query", "item", "score"], [(name, "x", 1) for name in names])
    kept = str(folder / "kept.csv")
    assert run(folder, "old", "--per-query", kept) == 0
    assert run(folder, "old", "--not-below", kept, "--significant") == 0
    capsys.readouterr()
    assert run(folder, "new", "--not-below", kept, "--significant") == 1
    assert f"gate failed: recall@1 of new is 0.0000, below the baseline's 1.0000 by 1, {why}" in failed(capsys)


def test_intervals_are_printed_instead_of_means(folder: Path, capsys: Output) -> None:
    assert run(folder, "old", "--intervals") == 0
    assert capsys.readouterr().out.splitlines()[-6:-3] == [
        "metric    model  queries   value      95% interval      sd     q10  median     q90",
        "--------  -----  -------  ------  ----------------  ------  ------  ------  ------",
        "recall@1  old          4  0.7500  [0.1941, 0.9937]  0.5000  0.3000  1.0000  1.0000",
    ]
    assert run(folder, "old", "--intervals", "--format", "trec") == 2
    assert failed(capsys) == ["--intervals: trec_eval's format has none. Choose another --format"]


@pytest.mark.slow
def test_compare_prints_every_format(folder: Path, capsys: Output) -> None:
    runs = [f"old={folder / 'old'}.csv", f"new={folder / 'new'}.csv"]
    asked = ["compare", *runs, "--qrels", str(folder / "qrels.csv"), "-m", "recall@1", "--baseline", "old"]
    capsys.readouterr()
    for form, first in (
        ("table", "metric    model  queries     old   value      delta  relative        95% interval  wins/ties"),
        ("markdown", "| metric | model | queries | old | value | delta | relative | 95% interval | wins/ties/losses |"),
        ("csv", "model,metric,k,queries,unpaired,baseline,value,delta,sd,low,high,wins,ties,losses,t,p,p_adjusted"),
        ("json", "["),
        ("html", "<table>"),
    ):
        assert output_of(capsys, *asked, "--format", form).startswith(first)
    assert main([*asked, "--test", "sign", "--correction", "none", "--confidence", "0.9", "--tie-within", "0.5"]) == 0
    assert "90% interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--baseline", "older"], "--baseline: there is no model 'older'. Models: 'old'"),
        (["--samples", "5"], "--samples: a whole number from 100 to 10000000 is expected, not 5"),
    ],
    ids=str,
)
def test_a_comparison_that_cannot_be_made_ends_with_2(
    folder: Path, options: list[str], message: str, capsys: Output
) -> None:
    asked = ["compare", str(folder / "old.csv"), "--qrels", str(folder / "qrels.csv"), *options]
    assert main(asked if "--baseline" in options else [*asked, "--baseline", "old"]) == 2
    assert failed(capsys) == [message]


def test_compare_reads_files_of_values(folder: Path, capsys: Output) -> None:
    assert run(folder, "new", "--per-query", str(folder / "new.csv.parquet")) == 0
    files = [f"old={folder / 'old.parquet'}", f"new={folder / 'new.csv.parquet'}"]
    capsys.readouterr()
    assert main(["compare", *files, "--values", "--baseline", "old", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("new,recall,1,4,0,0.75,0.5,-0.25,0.5,")


def test_gates_are_written_for_junit_and_as_a_summary(folder: Path) -> None:
    """Given a gate that passes and one that fails, JUnit has a case for each, and a summary keeps what it had."""
    junit, summary = folder / "gates.xml", folder / "summary.md"
    summary.write_text("before\n")
    limits = ["--at-least", "recall@1=0.5", "--at-least", "R@1=0.8", "--at-least", "recall@1=0.8"]
    assert run(folder, "old", *limits, "--junit", str(junit), "--summary", str(summary)) == 1
    [suite] = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failures = {case.get("name"): [each.get("message") for each in case] for case in suite}
    assert failures == {
        "recall@1 is at least 0.5": [],
        "recall@1 is at least 0.8": ["recall@1 of old is 0.7500, below 0.8"],
    }
    lines = summary.read_text("utf-8").splitlines()
    assert lines[:3] == [
        "before",
        "- ❌ recall@1 of old is 0.7500, below 0.8",
        "- ✅ recall@1 is at least 0.5; the lowest is 0.7500, of old",
    ]
    assert "| recall@1 | 0.7500 |" in lines
    assert run(folder, "new", "--summary", str(summary)) == 0, "a summary needs no gate"
    assert "| recall@1 | 0.5000 |" in summary.read_text("utf-8")


def test_names_in_a_file_of_gates_are_text() -> None:
    """Given a name with tags and control characters, both files show it."""
    line = "rr of <b>\x1b & *x* is low"
    outcome = Outcome([Gate(line, [("m", line)], "")], ["look"])
    [suite] = ElementTree.fromstring(outcome.to_junit())
    assert suite[0].get("name") == suite[0][0].get("message") == "rr of <b>\\x1b & *x* is low"
    assert suite[1].text == "warning: look"
    assert outcome.to_markdown().splitlines()[0] == r"- ❌ rr of &lt;b&gt;\\x1b &amp; \*x\* is low"
    call = Outcome([], decision=["a *b*", "recall-duckdb pool a_b.csv 'c\x1b' > pool.csv"]).to_markdown()
    assert call == "a \\*b\\*\n\n    recall-duckdb pool a_b.csv 'c\\x1b' > pool.csv\n", "an indented block is code"


@pytest.mark.parametrize(
    "options",
    [
        ["--junit", "same.json", "--per-query", "same.json"],
        ["--junit", "same.parquet", "--append", "same.parquet"],
        ["--junit", "same.xml", "--summary", "same.xml"],
    ],
    ids=" ".join,
)
def test_two_options_that_name_one_file_are_refused(folder: Path, capsys: Output, options: list[str]) -> None:
    paths = [str(folder / word) if word.startswith("same") else word for word in options]
    assert run(folder, "old", "--at-least", "recall@1=0", *paths) == 2
    assert f"{', '.join(sorted(options[::2]))}: both name 'same." in failed(capsys)[0]


def test_a_run_that_fails_leaves_no_gates_of_an_earlier_one(folder: Path) -> None:
    junit = folder / "gates.xml"
    assert run(folder, "old", "--at-least", "recall@1=0.5", "--junit", str(junit)) == 0
    assert junit.exists()
    assert run(folder, "absent", "--at-least", "recall@1=0.5", "--junit", str(junit)) == 2
    assert not junit.exists()


def test_a_file_of_gates_needs_a_path(folder: Path, capsys: Output) -> None:
    for name in ("junit", "summary"):
        assert run(folder, "old", "--at-least", "recall@1=0", f"--{name}", str(folder / "qrels.csv")) == 2
        assert f"--{name}: " in failed(capsys)[0]
        assert run(folder, "old", "--at-least", "recall@1=0", f"--{name}", str(folder)) == 2
        assert "is a directory" in failed(capsys)[0]


def test_the_help_says_which_gates_exclude_each_other(capsys: Output) -> None:
    fails(SystemExit, "0", main, ["evaluate", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "how much worse a mean may be. It excludes --significant" in text
    assert "fail only for a mean that is significantly worse. It excludes --max-drop" in text
