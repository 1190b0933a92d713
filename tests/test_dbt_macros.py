"""Every macro of the dbt package, rendered for every adapter, says what the wrapper composes for the same question."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from macros import FOLDER, CompilationError, Package
from sqlglot import exp

from recall_duckdb import dbt, metrics, templates
from recall_duckdb.compiler import Plan, Statement
from recall_duckdb.dbt import ADAPTERS
from recall_duckdb.dialects import render
from recall_duckdb.inputs import Arguments, prepare
from recall_duckdb.policies import Policies
from recall_duckdb.warehouses import open_session

TABLES = {"run": "shop.recommendations", "qrels": "shop.purchases"}
PLAIN = [name for name, template in templates.own_metrics().items() if not template.of_whole_run]
OWN = ["coverage", "gini", "overlap", "popularity", "novelty", "diversity", "pair_diversity"]


def cutoffs(name: str) -> str:
    """A metric at a cutoff and of the whole list, or by its name alone."""
    return f"{name}@5,10" if "k" in templates.own_metrics()[name].parameters else name


BESIDE = {name: f"shop.{name}" for name in ("training", "catalog", "features", "pairs")}
ACCURACY = [cutoffs(name) for name in PLAIN if name not in OWN]
# What is asked, in the words of `evaluate`: the same in Python and in a model of dbt.
QUESTIONS: dict[str, dict[str, Any]] = {
    "recall": {"metrics": ["recall@10"]},
    "all metrics": {"metrics": ACCURACY},
    "whole lists": {"metrics": [name.partition("@")[0] for name in ACCURACY]},
    "beyond accuracy": {"metrics": [cutoffs(name) for name in OWN], **BESIDE},
    "beyond accuracy, of whole lists": {"metrics": OWN, **BESIDE, "model": "system", "by": "country"},
    "expected": {"metrics": ["recall@5", "ndcg@5,10", "ap", "rr@10", "auc"], "ties": "expected"},
    **{ties: {"metrics": ["ndcg@5"], "ties": ties} for ties in ("item", "optimistic", "pessimistic")},
    "options": {
        "metrics": [
            "ap(over=capped)@10", "ap(over=k)@10", "ap(over=hits)", "ap(mean=geometric)", "precision(over=retrieved)@5",
            "fall_out(of=judged)@5", "judged(over=k)@10", "rbp(p=0.5)@10", "fbeta(beta=2)@5", "iprec(recall=0.25)",
            "err(max_grade=3)@10", "recall(mean=sum)@5",
        ]
    },
    "several judgings": {
        "metrics": [
            "ndcg(gain=exponential)@10", "precision(threshold=2)@5", "recall@5", "ndcg(gain=binary)@5",
            "bpref(threshold=2)",
        ],
        "model": "system",
    },
    "only another judging": {"metrics": ["precision(threshold=2)@5"], "no_relevant": "skip"},
    "policies": {
        "metrics": ["recall@5", "precision@5", "f1@5", "iprec", "eleven_point", "coverage@5"],
        "no_relevant": "skip", "missing": "skip", "duplicates": "best", "nulls": "drop", "precision": "retrieved",
        "threshold": 2, "semantics": "trec_eval_9", "catalog": "shop.catalog",
    },
    "minimum score": {"metrics": ["recall@5", "auc"], "min_score": 0.25, "missing": "skip"},
    "ranks": {"metrics": ["ndcg@10", "rr"], "rank": "position"},
    "ranks with items left out": {"metrics": ["ndcg@10"], "rank": "position", "items": "shop.items"},
    "left out": {"metrics": ["recall@10"], "exclude": "shop.seen", "items": "shop.items"},
    "left out and weighted": {
        "metrics": ["recall@10", "ap(mean=geometric)"], "exclude": "shop.seen", "weights": "shop.w",
    },
    "models in a column": {"metrics": ["recall@10", "ap"], "model": "system", "by": ["country", "device"]},
    "several runs": {"metrics": ["recall@10"], "run": {"bm25": "shop.bm25", "it's": "shop.dense"}, "by": "country"},
    "one named run": {"metrics": ["recall@10"], "run": {"bm25": "shop.bm25"}},
    "queries of two columns": {
        "metrics": ["recall@10", "auc", "overlap@10"], "query": ["user_id", "day"], "qrels_query": ["buyer", "date"],
        "qrels_item": "product", "by": "day",
    },
    "labelled": {"metrics": ["recall@10", "ndcg@10"], "qrels": None, "relevance": "clicked", "by": "country"},
    "labelled, several models": {"metrics": ["recall@10"], "qrels": None, "relevance": "clicked", "model": "system"},
}  # fmt: skip


@cache
def package(adapter: str, folder: Path = FOLDER) -> Package:
    parents, parent = [], ADAPTERS[adapter]
    while parent != "duckdb" and parent:
        parents.append(parent)
        parent = ADAPTERS[parent]
    return Package(adapter, tuple(parents), folder)


def macro(adapter: str, question: Mapping[str, Any], *, per_query: bool = False, folder: Path = FOLDER) -> str:
    """What `evaluate` of the dbt package writes."""
    given = {**TABLES, **question}
    # In Python a column of the qrels or, where they lack it, of the run; a macro looks up no columns.
    return package(adapter, folder).call("evaluate", **given, per_query=per_query)


def composed(adapter: str, question: Mapping[str, Any], *, per_query: bool = False) -> exp.Select:
    """The same from the wrapper, but for its relations being called rd_…, and for the order of its rows."""
    given = {**TABLES, **question}
    asked = metrics.parse(given.pop("metrics"))
    known = {name: given.pop(name) for name in list(given) if name in Policies.__dataclass_fields__}
    session = open_session(None, adapter, [], only_written=True)
    plan = Plan(prepare(Arguments(**given), session, must_exist=False), asked, Policies(**known))
    statement = Statement(plan).of_per_query() if per_query else Statement(plan).of("means")
    statement.set("order", None)
    for name in statement.find_all(exp.Identifier):
        name._meta = None  # as they stand: a macro gives names without quotes, and Snowflake makes capitals of them
    ours = {cte.alias for cte in statement.ctes}
    for cte in statement.ctes:
        cte.set("alias", exp.TableAlias(this=exp.to_identifier(f"rd_{cte.alias}")))
    for table in statement.find_all(exp.Table):
        if table.name in ours and not table.meta.get("of_the_user"):
            table.set("this", exp.to_identifier(f"rd_{table.name}"))
    return statement


def tokens(text: str, dialect: str) -> dict[str, list[str]]:
    """The words of every relation of a statement, and of its answer, as '': whatever the order of the relations."""
    words = [token.text for token in sqlglot.tokenize(text, read=dialect)]
    assert words[0].upper() == "WITH"
    found, depth, name, start = {}, 0, words[1], 1
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word == ")" and name:
            found[name] = words[start:place]
            name, start = (words[place + 2], place + 2) if words[place + 1] == "," else ("", place + 1)
    return {**found, "": words[start:]}


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_macro_writes_what_the_wrapper_composes(adapter: str, name: str) -> None:
    question = QUESTIONS[name]
    for per_query in (False, True):
        written = tokens(macro(adapter, question, per_query=per_query), adapter)
        expected = tokens(render(composed(adapter, question, per_query=per_query), adapter, pretty=True), adapter)
        assert list(written) != [""]
        assert written == expected


def test_the_arguments_of_every_macro_are_documented() -> None:
    held = package("duckdb")
    documented: dict[str, list[str]] = {}
    for line in (FOLDER / "generated" / "macros.yml").read_text("utf-8").splitlines():
        if line.startswith("  - name: "):
            name = line.removeprefix("  - name: ")
            documented[name] = []
        elif line.startswith("      - name: "):
            documented[name].append(line.removeprefix("      - name: "))
    assert set(documented) == held.names
    called = {name: arguments for name, arguments in documented.items() if arguments}
    assert {name: held.arguments(name) for name in called} == called
    metrics_called = {
        name if "k" not in template.parameters else f"{name}_at_k" for name, template in templates.own_metrics().items()
    }
    assert called.keys() >= metrics_called | {f"test_{name}_at_least" for name in metrics_called} | {"evaluate"}


@pytest.mark.skipif(version("sqlglot") != dbt.SQLGLOT, reason=f"the macros are written by sqlglot {dbt.SQLGLOT}")
def test_the_macros_are_those_written_now(capsys: pytest.CaptureFixture[str]) -> None:
    assert dbt.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("relation", ["relations/judged_ordered.sql", "metrics/recall.sql"])
def test_a_fault_in_a_macro_is_caught(relation: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "macros")
    path = tmp_path / "macros" / "generated" / relation
    whole = path.read_text("utf-8")
    assert "rank" in whole
    path.write_text(whole.replace("rank", "ideal_rank"), "utf-8")
    written = macro("duckdb", QUESTIONS["recall"], folder=tmp_path / "macros")
    expected = render(composed("duckdb", QUESTIONS["recall"]))
    assert tokens(written, "duckdb") != tokens(expected, "duckdb")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metrics": "recal@10"}, "there is no metric recal"),
        ({"metrics": []}, "metrics: name at least one"),
        ({"metrics": "recall@0"}, "k must be a whole number of at least 1, not 0"),
        ({"metrics": "recall@ten"}, "k must be a whole number"),
        ({"metrics": "bpref@10"}, "takes no cutoff"),
        ({"metrics": "rbp(p=2)@10"}, "p is a number above 0 and below 1"),
        ({"metrics": "rbp(q=2)@10"}, "rbp has no option q=2"),
        ({"metrics": "ndcg(threshold=2)"}, "the threshold decides nothing here"),
        ({"metrics": "coverage@10"}, "coverage needs catalog=: pass the relation"),
        ({"metrics": "bpref", "ties": "expected"}, "no closed form for bpref"),
        ({"ties": "random"}, "ties: random is not one of item_desc, item"),
        ({"no_relevant": "error"}, "no_relevant: error is not one of zero, skip"),
        ({"threshold": 0}, "threshold: 0.0 is not above 0"),
        ({"threshold": "2"}, "threshold: a number is expected, not 2"),
        ({"query": []}, "query: name the column"),
        ({"query": ["a", "a"]}, "names a column twice"),
        ({"qrels_query": ["a", "b"]}, "must be as many columns"),
        ({"by": '"Value"'}, 'by: the result has a column "Value" of its own'),
        ({"query": "recall_at_10", "metrics": "recall@10"}, "the result has a column recall_at_10 for the metric"),
        ({"qrels": None, "relevance": None}, "relevance: without qrels="),
        ({"qrels": None, "qrels_item": "x"}, "no qrels= was given"),
        ({"run": {"a": "x", "b": "y"}, "model": "system"}, "model: give one of"),
        ({"rank": "position", "min_score": 1}, "they need a score"),
    ],
)
def test_what_cannot_be_asked_is_a_compilation_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: .*{re.escape(message)}"):
        macro("duckdb", {"metrics": "recall@10", **given})


def test_an_adapter_whose_sql_is_not_written_is_an_error() -> None:
    with pytest.raises(CompilationError, match="the adapter sqlserver is not one of duckdb, athena, bigquery"):
        Package("sqlserver", ()).call("recall_at_k", "shop.recommendations", "shop.purchases")


def test_a_macro_of_a_metric_is_evaluate_with_its_name() -> None:
    called = package("duckdb").call("fbeta_at_k", *TABLES.values(), k=[5, 10], beta=2, query="user_id")
    assert called == macro("duckdb", {"metrics": "fbeta(beta=2)@5,10", "query": "user_id"})


def test_relations_without_relevance_and_conditions_on_rows() -> None:
    text = macro("duckdb", {"metrics": "recall@10", "relevance": None, "filter": "day > 3", "qrels_filter": "day > 4"})
    assert "CAST(1 AS DOUBLE)" in text
    assert "FROM (SELECT * FROM shop.recommendations WHERE day > 3) AS filtered" in text
    assert "FROM (SELECT * FROM shop.purchases WHERE day > 4) AS filtered" in text
