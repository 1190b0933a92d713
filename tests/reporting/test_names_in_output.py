"""Names and ids as readers see them: escaped, shortened, and in columns that stay aligned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_duckdb import DataError, RecallError, UnknownNameError, check, evaluate
from recall_duckdb.cli import main
from recall_duckdb.report import Table

LONG = "x" * 1_000_000
ESCAPE = "\x1b]0;title\x07"


def markdown(cell: str) -> str:
    """Return how Markdown has a cell of a table."""
    return Table(["name"], [[cell]]).markdown().splitlines()[2][2:-2]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("@team", "@<!-- -->team"),
        ("by @team/core, (@me)", "by @<!-- -->team/core, (@<!-- -->me)"),
        ("recall@10", "recall@10"),
        ("_old_ __new__", r"\_old\_ \_\_new\_\_"),
        ("average_rank@5", r"average\_rank@5"),
        ("https://a.b/c_d", r"https:<!-- -->//a.b/c\_d"),
        ("www.example.com", "www<!-- -->.example.com"),
        ("me@example.com", "me@<!-- -->example.com"),
        ("mailto:me", "mailto:<!-- -->me"),
        ("a|b `c` [d](e) <img> *f* ~g~ #1", r"a\|b \`c\` \[d\](e) &lt;img&gt; \*f\* \~g\~ \#1"),
    ],
)
def test_markdown_shows_names_unchanged_and_without_links(text: str, written: str) -> None:
    assert markdown(text) == written


def test_wide_and_combining_characters_keep_the_columns_aligned() -> None:
    names = ["東京", "e\u0301cole", "🚀", "plain"]
    assert Table(["model", "value"], [[name, "0.5"] for name in names], numbers=1).text().splitlines() == [
        "model  value",
        "-----  -----",
        "東京     0.5",
        "e\u0301cole    0.5",
        "🚀       0.5",
        "plain    0.5",
    ]


def test_long_ids_are_shortened_in_tables_but_not_in_data() -> None:
    run = {"query": [1], "item": ["a"], "score": [1.0], "relevance": [1], "country": [LONG]}
    shown = evaluate(run, metrics="rr", by="country").shown
    for write in (Table.text, Table.markdown, Table.html):
        assert len(write(shown)) < 5_000
    assert LONG in shown.csv()
    assert LONG in shown.json()


def labelled(**columns: list[Any]) -> dict[str, list[Any]]:
    return {"query": [LONG, LONG], "item": ["a", "b"], "score": [1.0, 2.0], "relevance": [1, 0], **columns}


@pytest.mark.slow
def test_messages_shorten_ids() -> None:
    found = evaluate(labelled(), metrics="rr")
    calls: list[tuple[type[RecallError], Any]] = [
        (DataError, lambda: evaluate(labelled(item=["a", "a"]), metrics="rr")),
        (DataError, lambda: evaluate(labelled(score=[1.0, None]), metrics="rr")),
        (DataError, lambda: evaluate(labelled(), {"query": ["q"], "item": ["a"], "relevance": [1]}, "rr")),
        (RecallError, lambda: evaluate(labelled(item=[LONG, 1]), metrics="rr")),
        (RecallError, lambda: evaluate(labelled(query=[LONG, " "]), metrics="rr").to_trec(each_query=True)),
        (UnknownNameError, lambda: found.explain("y" * 1_000_000)),
        (UnknownNameError, lambda: found.value(LONG)),
        (UnknownNameError, lambda: found.value("rr", model=LONG)),
        (UnknownNameError, lambda: evaluate(labelled(), metrics="rr", item=LONG)),
        (RecallError, lambda: evaluate(labelled(), metrics=f"{LONG}@5")),
        (RecallError, lambda: evaluate(labelled(), metrics="rr", ties=LONG)),  # type: ignore[arg-type]
        (RecallError, lambda: evaluate({**labelled(), "item": [f"{LONG}/", "b"]}, f"{LONG}/qrels", "rr")),
    ]
    for kind, call in calls:
        with pytest.raises(kind) as caught:
            call()
        assert len(str(caught.value)) < 3_000, str(caught.value)[:300]
    assert len(repr(check(labelled(item=["a", "a"]), metrics="rr"))) < 3_000


@pytest.mark.slow
def test_every_command_escapes_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run").write_text(f"q1 Q0 a 1 1.0 {ESCAPE}\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "own.sql").write_text(
        f"-- Titled {ESCAPE}.\n-- Grain: one row for each query\nSELECT model, query, sum(gain) AS own\n"
        "FROM judged GROUP BY model, query\n"
    )
    question = [str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels"), "-m", "rr"]
    commands = [
        ["report", *question, "-o", str(tmp_path / "report.html")],
        ["metrics", "--metric-folder", str(tmp_path)],
        *(["evaluate", *question, "--format", form] for form in ("table", "markdown", "json", "trec")),
        ["check", *question],
    ]
    for command in commands:
        assert main(command) in (0, 1)
        shown = capsys.readouterr()
        assert "\x1b" not in shown.out + shown.err, command
        assert "\x07" not in shown.out + shown.err
    assert r"\x1b]0;title\x07" in (tmp_path / "report.html").read_text()
    assert main(["evaluate", *question, "--format", "csv"]) == 0
    assert ESCAPE in capsys.readouterr().out  # for programs
