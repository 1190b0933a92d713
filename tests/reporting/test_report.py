"""Reports: what they say and show, that they are whole or not there, and that they stay small."""

from __future__ import annotations

import html
import json
import re
import runpy
import sqlite3
import subprocess
import sys
from fnmatch import fnmatchcase
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import Output, error_of, fails
from folders import ROOT

import recall_duckdb
from recall_duckdb import Result, evaluate
from recall_duckdb.cli import main
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, RecallError, UnknownNameError
from recall_duckdb.report import Table, markdown_text
from recall_duckdb.reporting.contents import MOST_CHECKED

# Ten queries with one relevant item: "old" has it on rank 3, "new" on rank 1 except for the last two queries.
QUERIES = [f"q{number}" for number in range(10)]
QRELS: dict[str, list[Any]] = {
    "query": QUERIES,
    "item": ["a"] * 10,
    "relevance": [2] * 10,
    "country": ["NL"] * 5 + ["BE"] * 5,
}
ORDERS = {"old": ["c", "b", "a"], "new": ["a", "b", "c"]}


def run_of(orders: dict[str, list[str]]) -> dict[str, list[Any]]:
    """Return a run whose lists have the same order for every query."""
    rows = [(query, item, 9.0 - place) for query, items in orders.items() for place, item in enumerate(items)]
    return {name: [row[place] for row in rows] for place, name in enumerate(("query", "item", "score"))}


def runs() -> dict[str, dict[str, list[Any]]]:
    new = dict.fromkeys(QUERIES, ORDERS["new"]) | {query: ["x", "y", "z"] for query in QUERIES[8:]}
    return {"old": run_of(dict.fromkeys(QUERIES, ORDERS["old"])), "new": run_of(new)}


def result(metrics: Any = ("rr", "recall@1,2,3"), **options: Any) -> Result:
    return evaluate(runs(), QRELS, metrics, **options)


class Page(HTMLParser):
    """The parts of a report: the text of each section, the tables as rows of cells, and all tags and addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.sections: dict[str, str] = {}
        self.tables: list[list[list[str]]] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self._title = ""
        self._is_title = self._is_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "srcset")]
        if tag == "h1":
            self._title = "Decision"
        elif tag == "h2":
            self._title, self._is_title = "", True
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "h2":
            self._is_title = False
        self._is_cell = self._is_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._is_title:
            self._title += data
        elif self._title:
            self.sections[self._title] = self.sections.get(self._title, "") + data
            if self._is_cell:
                self.tables[-1][-1][-1] += data


def read(path: Path) -> Page:
    return Page(path.read_text("utf-8"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.html"


def test_the_page_says_which_model_is_better_and_loads_and_runs_nothing(path: Path) -> None:
    said = result(by="country").report(path, baseline="old")
    verdict, numbers = (
        "Ship new instead of old.",
        (
            "rr is 0.8000 instead of 0.3333: +140% (95% interval +50% to +230%, p = 0.0067), "
            "better for 8 queries and worse for 2."
        ),
    )
    assert said == [f"{verdict} {numbers}"]
    page = read(path)
    assert (decision := page.sections["Decision"].replace("\xa0", " ")).startswith(f"{verdict}{numbers}")
    assert "old is better for 2 queries; the largest loss is 0.3333 (query q8)." in decision
    assert "Also better on recall@1, recall@2." in decision
    assert {"script", "img", "iframe", "object", "embed"}.isdisjoint(page.tags)
    assert page.addresses == ["data:,"]
    text, known = path.read_text("utf-8"), {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in text
    assert re.findall(r"url\(|@import|\bsrc=", text) == []
    assert set(re.findall(r"https?://[^\s\"<]+", text)) == known
    assert re.findall(r"\bid=", text) == []  # ids of several charts would clash


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ([0.5, 0.5], [0.5, 0.5], "new and old have the same rr for 2 queries. It is 0.5000 on average."),
        ([0.25, 0.5], [0.5, 0.5], "No clear difference between new and old. rr is 0.5000 instead of 0.3750: +33% "),
        ([0.5, 0.5], [1.0, 1.0], "new was not tested against old. rr is 1.0000 instead of 0.5000: +100% (95% "),
        ([0.5], [1.0], "new was not tested against old. rr is 1.0000 instead of 0.5000: +100%; one query "),
        ([1.0] * 9 + [0.5], [0.5] * 10, "Keep old: new is worse. rr is 0.5000 instead of 0.9500: -47% "),
    ],
)  # fmt: skip
def test_a_difference_is_only_called_one_if_a_test_says_so(
    old: list[float], new: list[float], sentence: str, path: Path
) -> None:
    def lists(values: list[float]) -> dict[str, list[Any]]:
        return run_of({f"q{n}": [*"xyz"[: round(1 / value) - 1], "a"] for n, value in enumerate(values)})

    names = [f"q{number}" for number in range(len(old))]
    qrels = {"query": names, "item": ["a"] * len(names), "relevance": [1] * len(names)}
    said = evaluate({"old": lists(old), "new": lists(new)}, qrels, "rr").report(path, baseline="old")
    assert said[0].startswith(sentence)


def test_the_tables_have_the_numbers_of_the_comparison_and_the_intervals(path: Path) -> None:
    found = result()
    found.report(path, baseline="old")
    tables = read(path).tables
    for shown in (found.compare("old").shown, found.intervals().shown):  # the model and the queries of all rows
        same = [name for name in ("model", "queries") if len(set(column(shown, name))) == 1]
        lines = [[line[place] for place, name in enumerate(shown.header) if name not in same] for line in shown.body]
        assert [[name for name in shown.header if name not in same], *lines] in tables
        assert all(f"{name}: {column(shown, name)[0]}" in path.read_text("utf-8") for name in same)
    assert ["old", "10", "10", "10", "0", "0", "0", "0", "0"] in tables[-2]


def column(shown: Table, name: str) -> list[str]:
    """Return the cells of a column."""
    return [line[shown.header.index(name)] for line in shown.body]


@pytest.mark.slow
def test_a_metric_at_many_cutoffs_has_its_first_one_in_the_open_table(path: Path) -> None:
    """Given 20 cutoffs, the tables have a row or a column for the first, and open to those of all."""
    result(["ndcg@1-20", "rr"]).report(path, check=False)
    names = ["ndcg@1", "rr"], [*(f"ndcg@{k}" for k in range(1, 21)), "rr"]
    tables = read(path).tables
    assert [table[0] for table in tables if table[0][0] == "model"][:2] == [["model", *each] for each in names]
    rows = [[line[0] for line in table[1:]] for table in tables if table[0][0] == "metric"]
    assert rows == [[name for name in each for _ in ("old", "new")] for each in names]


@pytest.mark.slow
def test_queries_open_to_the_items_that_explain_shows(path: Path) -> None:
    found = result()
    found.report(path, baseline="old")
    section = read(path).sections["Queries"]
    assert section.index("q8") < section.index("q9")
    assert "0.3333 → 0.0000-0.3333" in section
    explained = found.explain("q8", baseline="old", model="new", k=10).fetchall()
    rows = [[item, change or "", f"{relevance:g}" if relevance else "", str(before or ""), str(after or "")]
            for item, relevance, before, after, change, _ in explained]  # fmt: skip
    assert [["item", "change", "relevance", "rank before", "after"], *rows] in read(path).tables


def test_faults_policies_versions_and_the_statement_are_there(path: Path) -> None:
    gone = {**QRELS, "query": [*QUERIES[1:], "q10"]}
    found = evaluate(runs(), gone, "rr", missing="skip", ids="text", nulls="error", depth=9)
    found.report(path, baseline="old")
    page = read(path)
    assert "Policies: missing=skip, depth=9; left out: 1 query of old, 1 query of new." in page.sections["Decision"]
    assert "a judged query is missing from the run" in page.sections["Data"]
    how = page.sections["How it was computed"]
    assert "missing = skip" in how
    assert f"DuckDB {duckdb.__version__}" in how
    assert f"recall_duckdb {recall_duckdb.__version__}" in how
    assert found.sql in how


@pytest.mark.slow
def test_the_picture_in_the_readme_shows_the_report_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given another first screen, docs/images/report.py draws the picture again."""
    script = ROOT / "docs" / "images" / "report.py"
    monkeypatch.chdir(tmp_path)
    assert runpy.run_path(str(script))["written"]() == script.with_suffix(".txt").read_text("utf-8").strip()


@pytest.mark.slow
def test_a_report_without_a_baseline_names_its_intervals_and_tests(path: Path) -> None:
    """Given hit_rate, the interval is exact; with a leaderboard, the test and the correction are listed."""
    evaluate(runs()["new"], QRELS, "hit_rate@1").report(path, check=False)
    how = read(path).sections["How it was computed"]
    assert "exact, 95%" in how
    assert "holm" not in how
    evaluate(runs(), QRELS, ["hit_rate@1", "rr"]).report(path, check=False)
    how = read(path).sections["How it was computed"]
    assert "exact, t, 95%" in how
    assert "correction" in how
    assert "holm" in how


@pytest.mark.slow
def test_checks_run_on_small_runs_only_unless_they_are_asked_for(path: Path) -> None:
    connection = duckdb.connect()
    connection.sql(
        f"CREATE TABLE run AS SELECT range // 5 AS query, range % 5 AS item, 1 AS score FROM range({MOST_CHECKED + 5})"
    )
    connection.sql("CREATE TABLE qrels AS SELECT DISTINCT query, 1 AS item, 1 AS relevance FROM run")
    found = evaluate("run", "qrels", "recall@2", connection=connection)
    found.report(path)
    assert "The checks did not run" in read(path).sections["Data"]
    found.report(path, check=True)
    assert "equal values of column 'score' straddle a cutoff" in read(path).sections["Data"]
    result().report(path, check=False)
    assert "The checks did not run" in read(path).sections["Data"]
    result().report(path)
    assert "The checks did not run" not in read(path).sections["Data"]


HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\x1b[2J\u202e</style>", "&amp;'`${1}"]


@pytest.mark.parametrize("name", HOSTILE)
def test_every_name_is_escaped(name: str, path: Path) -> None:
    column = name.replace("\x1b", "")
    qrels = {column: [name, "q"], "item": [name, "b"], "relevance": [1, 1], "kind": [name, name]}
    run = {column: [name, name, "q"], "item": [name, "c", "b"], "old": [1, 2, 1], column + "m": [2, 1, 1]}
    found = evaluate(run, qrels, ["rr", "recall@1,2"], query=column, score=["old", column + "m"], by="kind")
    found.report(path, baseline="old")
    page = read(path)
    assert {"script", "img"}.isdisjoint(page.tags)
    assert page.tags.count("style") == 1
    text = path.read_text("utf-8")
    assert "\x1b" not in text
    assert "\u202e" not in text
    shown = recall_duckdb.report.printable(name)
    assert shown in page.sections["Queries"]


@pytest.mark.slow
def test_a_failed_report_leaves_the_old_one(path: Path, tmp_path: Path) -> None:
    path.write_text("old")
    found = result()
    for wrong in ({"baseline": "none"}, {"history": tmp_path / "none.parquet"}, {"queries": 101}, {"confidence": 2}):
        fails(RecallError, "", found.report, path, **wrong)
    found.close()
    fails(ArgumentError, "the result was closed", found.report, path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ({"path": "/nowhere/report.html"}, ArgumentError, "path: cannot write '/nowhere/report.html': No such file"),
        ({"path": "report.parquet"}, ArgumentError, "path: 'report.parquet' must end in .html"),
        ({"path": 3}, ArgumentTypeError, "path: a path is expected, not 3"),
        ({"queries": -1}, ArgumentError, "queries: a whole number from 0 to 100 is expected, not -1"),
        ({"queries": True}, ArgumentError, "queries: a whole number from 0 to 100 is expected, not True"),
        ({"baseline": "olt"}, UnknownNameError, "baseline: there is no model 'olt'"),
        ({"history": "none.parquet"}, UnknownNameError, "history: there is no file 'none.parquet'"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(wrong: dict[str, Any], kind: type[RecallError], message: str, path: Path) -> None:
    fails(kind, re.escape(message), result().report, **{"path": path, **wrong})


@pytest.mark.slow
def test_results_of_every_kind_have_a_report(path: Path) -> None:
    weights = {"query": QUERIES, "weight": range(10)}
    result(weights=weights).report(path)  # no intervals
    assert "Queries" not in read(path).sections
    catalog = {"item": ["a", "b", "c", "d"]}
    said = evaluate(runs(), None, "coverage@2", catalog=catalog).report(path, baseline="old")
    assert said == [
        "new was not tested against old. coverage@2 is 0.5000 instead of 0.5000: +0.0%; the metric has one value for "
        "the whole run."
    ]
    days = {**QRELS, "day": ["2026-01-01"] * 10}
    keyed = {name: {**run, "day": ["2026-01-01"] * len(run["query"])} for name, run in runs().items()}
    evaluate(keyed, days, ["rr", "coverage@2"], catalog=catalog, query=["query", "day"]).report(path, baseline="old")
    assert "q8, 2026-01-01" in read(path).sections["Queries"]


@pytest.mark.slow
def test_another_engine_has_the_same_report(path: Path) -> None:
    connection = sqlite3.connect(":memory:")
    lists = runs()
    rows = [(model, *row) for model, run in lists.items() for row in zip(*run.values(), strict=True)]
    connection.execute("CREATE TABLE run (model TEXT, query TEXT, item TEXT, score REAL)")
    connection.executemany("INSERT INTO run VALUES (?, ?, ?, ?)", rows)
    connection.execute("CREATE TABLE qrels (query TEXT, item TEXT, relevance INT, country TEXT)")
    connection.executemany("INSERT INTO qrels VALUES (?, ?, ?, ?)", list(zip(*QRELS.values(), strict=True)))
    metrics = ["rr", "recall@1,2,3"]
    there = evaluate("run", "qrels", metrics, model="model", by="country", connection=connection)
    said = there.report(path, baseline="old")
    sections = read(path).sections
    columns = dict(zip(("model", "query", "item", "score"), map(list, zip(*rows, strict=True)), strict=True))
    assert said == evaluate(columns, QRELS, metrics, model="model", by="country").report(path, baseline="old")
    here = read(path).sections
    assert "engine is not DuckDB" in sections["Data"]
    assert list(sections) == list(here)
    for title in ("Decision", "Differences", "Means", "Queries", "Changes of queries", "Differences in slices"):
        assert sections[title] == here[title], title
    connection.close()


@pytest.mark.slow
def test_metrics_may_be_an_iterator(path: Path) -> None:
    evaluate(runs(), QRELS, iter(["rr", "ndcg(gain=exponential)@2", "ndcg(gain=1:1,2:5)@2"])).report(path)
    assert "No fault found" in read(path).sections["Data"]


@pytest.mark.parametrize(("models", "is_folded"), [(4, False), (5, True)])
def test_the_sections_of_more_than_four_models_are_folded(models: int, is_folded: bool, path: Path) -> None:
    many = dict.fromkeys("abcde"[:models], runs()["old"])
    evaluate(many, QRELS, "rr").report(path, queries=0, check=False)
    assert ("<details><summary><h2>Means</h2>" in path.read_text("utf-8")) is is_folded


def test_the_name_of_a_query_is_cut_after_300_characters(path: Path) -> None:
    lists = {name: ["a"] for name in ("p" * 300, "q" * 301)}
    evaluate(run_of(lists), lists, "rr").report(path, check=False)
    text = path.read_text("utf-8")
    assert "p" * 300 + "…" not in text
    assert f"{'q' * 300}…" in text


@pytest.mark.slow
def test_many_models_and_metrics_keep_the_report_small(path: Path) -> None:
    lists = runs()
    many = {f"model {number}": lists["new" if number % 2 else "old"] for number in range(13)}
    evaluate(many, QRELS, ["rr", "recall@1-10", "ndcg@1-10"]).report(path, baseline="model 0")
    page = read(path)
    assert "52 further rows are not shown" in page.sections["Differences"]  # of 12 models and 21 metrics, 200 are
    assert page.sections["Changes of queries"].count("minus model 0") == 3  # of 12 models, the best one
    assert path.stat().st_size < 700_000


@pytest.mark.slow
def test_a_report_of_100000_queries_is_small(path: Path) -> None:
    connection = duckdb.connect()
    items = "SELECT range // 4 AS query, range % 4 AS item, hash(range) % 997 AS old, hash(range + 7) % 997 AS new"
    connection.sql(f"CREATE TABLE run AS {items} FROM range(400000)")
    connection.sql(
        "CREATE TABLE qrels AS SELECT DISTINCT query, 1 AS item, 1 AS relevance, query % 40 AS kind FROM run"
    )
    found = evaluate("run", "qrels", ["rr", "recall@1,2"], score=["old", "new"], by="kind", connection=connection)
    found.report(path, baseline="old", check=False)
    assert path.stat().st_size < 1_000_000
    page = read(path)
    assert "Each bar is one query; evenly spaced queries are shown." in page.sections["Changes of queries"]
    assert "Of 40 lines of slices, the 30 with the most queries are shown." in page.sections["Differences in slices"]


@pytest.mark.slow
def test_without_altair_the_report_has_tables_and_says_why(path: Path) -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['altair', 'vl_convert']))\n"
        "from recall_duckdb import MissingPackageError, compare, evaluate\n"
        "run = {'query': [1, 1, 2], 'item': ['a', 'b', 'a'], 'score': [2, 1, 1], 'relevance': [0, 1, 1]}\n"
        "result = evaluate(run, metrics='recall@1,2')\n"
        "result.report(sys.argv[1])\n"
        "values = {'query': [1, 2], 'rr': [0.5, 1.0]}\n"
        "for plot in (result.plot, compare({'a': values, 'b': values}, baseline='a').plot):\n"
        "    try: plot()\n"
        "    except MissingPackageError as error: print(error)\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.splitlines() == ["this needs altair: pip install '.[report]' in a clone of recall_duckdb"] * 2
    text = path.read_text("utf-8")
    needed = "they need altair and vl-convert-python (pip install &#x27;.[report]&#x27; in a clone)."
    assert f"The report has no charts: {needed}" in text
    assert "<svg" not in text
    assert [row[:2] for row in read(path).tables[1][:2]] == [["metric", "value"], ["recall@1", "0.5000"]]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The arguments of the command line for the runs and qrels above, as files."""
    connection = duckdb.connect()
    for name, rows in {**runs(), "qrels": QRELS}.items():
        columns = ", ".join(f"unnest(?) AS {column}" for column in rows)
        connection.execute(f"COPY (SELECT {columns}) TO '{tmp_path / name}.parquet'", list(rows.values()))
    return [str(tmp_path / "old.parquet"), str(tmp_path / "new.parquet"), "--qrels", str(tmp_path / "qrels.parquet"),
            "-m", "rr", "-m", "recall@1,2"]  # fmt: skip


def test_the_command_writes_the_report_and_prints_the_decision(files: list[str], path: Path, capsys: Output) -> None:
    assert main(["report", *files, "--baseline", "old", "--by", "country", "-o", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Ship new instead of old. rr is 0.8000 instead of 0.3333")
    assert "Differences in slices" in read(path).sections
    assert main(["report", *files, "-o", str(path), "--queries", "0", "--no-check"]) == 0
    assert "Queries" not in read(path).sections
    assert "The checks did not run" in read(path).sections["Data"]


def test_a_report_of_one_file_has_its_name_and_draws_its_means(files: list[str], path: Path, capsys: Output) -> None:
    assert main(["report", files[1], *files[2:], "--by", "country", "-o", str(path)]) == 0
    said = "new has a mean of 0.8000 for rr over 10 queries. 95% interval [0.4439, 0.9748]."
    assert capsys.readouterr().out.startswith(said)
    page = read(path)
    assert list(page.sections)[1:4] == ["Means against k", "Values of queries", "Means in slices"]
    assert page.sections["Queries"].index("q8") < page.sections["Queries"].index("q0")
    rows = [[name, "", "0.8000", "10", "0.444 to 0.975"] for name in ("rr", "recall@1")]
    assert page.tables[0][:3] == [["", "", "mean", "queries", "interval"], *rows]
    assert "Worst in country=BE: 0.6000 for 5 queries." in page.sections["Decision"]
    weights = path.with_name("weights.csv")
    weights.write_text("query,weight\n" + "".join(f"q{number},1\n" for number in range(10)))
    for options in ([], ["--weights", str(weights)]):  # a weighted result has no values of queries
        asked = [files[1], "-m", "fall_out@1", *files[2:], "--by", "country", *options, "-o", str(path)]
        assert main(["report", *asked]) == 0
        assert "Worst in country=BE: 0.1333 for 5 queries." in read(path).sections["Decision"]
    assert "Pass --baseline and another run to compare them." in page.sections["Decision"]


AFTER_GATES = {
    "old new --at-least rr=0.5 --at-least recall@2=0 --baseline old":
        "Ship new instead of old. rr … worse for 2. old failed gate 'rr is at least 0.5', so the exit status is 1.",
    "old new --at-least rr=0.9 --at-least recall@2=0.9 --baseline old":
        "Do not ship new: gates 'rr is at least 0.9', 'recall@2 is at least 0.9' failed. rr is 0.8000 instead of…",
    "old new --not-below new --baseline new":
        "Do not ship old: gate 'no mean is worse than that of new' failed. Keep new: old is worse. … new failed no ga…",
    "old new --at-least recall@3=0.9 --baseline new -m recall@3":
        "Keep new: old is worse, but new failed a gate. rr is 0.3333 … new failed gate 'recall@3 is at least 0.9', so…",
    "old new --at-least recall@3=0.9 -m recall@3": "Do not ship new: gate 'recall@3 …. old failed no gate.",
    "old new --at-least rr=0.9": "Do not ship new: gate 'rr is at least 0.9' failed. rr is 0.8… old failed gate 'rr…",
    "new --at-least rr=0.9": "Do not ship new: gate 'rr is at least 0.9' failed. new has a mean of 0.8000 for rr …",
}  # fmt: skip


@pytest.mark.parametrize("options", AFTER_GATES)
def test_no_model_ships_that_fails_a_gate(options: str, files: list[str], path: Path, capsys: Output) -> None:
    names, _, gates = options.partition(" --")
    given = [*(each for each in files[:2] if Path(each).stem in names.split()), *files[2:]]
    assert main(["report", *given, *f"--{gates} -o {path} --junit {path}.xml --summary {path}.md".split()]) == 1
    said = capsys.readouterr().out.splitlines()[0]
    assert fnmatchcase(said, AFTER_GATES[options].replace("…", "*"))
    assert html.escape(said, quote=False) in Path(f"{path}.xml").read_text("utf-8")
    assert markdown_text(said) in Path(f"{path}.md").read_text("utf-8")
    heading = re.escape(html.escape(said.partition(". ")[0]))
    assert re.search(rf'<h1>{heading}.</h1>(?s:.)*<li class="worse">✗ gate failed: \S+ of ', path.read_text("utf-8"))


def test_the_best_model_does_not_ship_if_it_fails_a_gate(tmp_path: Path, capsys: Output) -> None:
    """Given two models with the same mean, of which the first wins where both have a list."""
    files, lists = [str(tmp_path / f"{name}.json") for name in ("a", "b", "qrels")], [*["zyx", "yx"] * 10, *["xy"] * 20]
    for file, first in zip(files, (0, 20), strict=False):
        Path(file).write_text(json.dumps({first + number: [*items] for number, items in enumerate(lists)}))
    Path(files[2]).write_text(json.dumps({query: {"x": 1} for query in range(60)}))
    options = ["-m", "rr", "--missing", "skip", "--at-least", "rr=0.9", "-o", str(tmp_path / "x.html")]
    assert main(["report", *files[:2], "--qrels", files[2], *options]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Do not ship a: gate 'rr is at least 0.9' failed. rr is 0.7083 over 40 queries")
    assert " too. Policies: missing=skip; left out: 20 queries of a, 20 queries of b." in said


MISTAKES = {
    "-o /nowhere/report.html": "--output: cannot write '/nowhere/report.html': No such file or directory",
    "-o {path} --history h --append h.parquet": "Pass either --append or --history, not both",
}


def test_a_mistake_in_the_command_ends_with_2(files: list[str], path: Path, capsys: Output) -> None:
    for options, message in MISTAKES.items():
        assert message in error_of(capsys, "report", *files, *options.format(path=path).split()), options
    assert not path.exists()


def test_a_report_of_files_that_have_changed_is_refused(tmp_path: Path, path: Path) -> None:
    run = tmp_path / "run.csv"
    run.write_text("query,item,score\nq1,a,1\n")
    result = evaluate(run, {"query": ["q1"], "item": ["a"], "relevance": [1]}, "recall@1")
    run.write_text("query,item,score\nq1,other,1\n")
    with pytest.raises(
        DataError, match="changed since the evaluation, so its rows would not explain the means. Evaluate again"
    ):
        result.report(path)
    assert not path.exists()


def test_numbers_of_items_keep_their_digits(path: Path) -> None:
    run = {"query": [1, 1], "item": [1234567.0, 1234568.0], "score": [2.0, 1.0], "relevance": [0.12345678, 1234567.25]}
    evaluate(run, metrics="ndcg@2").report(path)
    text = path.read_text("utf-8")
    assert all(shown in text for shown in (">1234567<", ">1234568<", ">0.12345678<", ">1234567.25<"))


def test_the_items_of_a_query_are_those_that_matter(tmp_path: Path) -> None:
    """Given 60 judged items that are not relevant and one that both lists miss, the one is shown."""
    items = [f"i{number:02}" for number in range(60)]
    run: dict[str, list[Any]] = {"query": ["q"] * 60 + ["p"], "item": [*items, "i00"]}
    run |= {"old": [float(-number) for number in range(61)], "new": [float(number) for number in range(61)]}
    qrels = {"query": ["q"] * 61 + ["p"], "item": [*items, "zz_missed", "i00"], "relevance": [1] + [0] * 59 + [1, 1]}
    evaluate(run, qrels, "rr", score=["old", "new"]).report(tmp_path / "report.html", baseline="old")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "zz_missed" in page
    assert "21 further items are not shown" in page


def test_charts_of_models_with_long_names_fit_a_phone(path: Path) -> None:
    """Given names of 57 letters, titles have several lines and legends are below, so that no chart is scaled down."""
    old, new = (f"{name} with a name that has as many letters as those of issues" for name in runs())
    evaluate(dict(zip((old, new), runs().values(), strict=True)), QRELS, "rr, ndcg@1,2,3").report(path, baseline=old)
    widths = [int(width) for width in re.findall(r'<svg [^>]*\bwidth="(\d+)"', path.read_text("utf-8"))]
    assert len(widths) == 3
    assert max(widths) <= 390 - 32


def test_many_gates_leave_the_plot_on_the_first_screen(path: Path, files: list[str]) -> None:
    gates = [word for k in range(8) for word in ("--at-least", f"rr=0.{k}")]
    main(["report", *files, "-m", "rr", *gates, "-o", str(path)])
    above, more, below = path.read_text("utf-8").partition("<summary>More gates</summary>")
    assert more
    assert (above.count("gate "), below.partition("</details>")[0].count("gate ")) == (6, 2)
