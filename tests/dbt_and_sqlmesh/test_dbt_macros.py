"""For every adapter, each macro of the dbt package writes what Python composes for the same question."""

from __future__ import annotations

import datetime
import random
import re
import shutil
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
import yaml
from macros import FOLDER, CompilationError, Package, package
from sqlglot import exp

from recall_duckdb import __version__, messages
from recall_duckdb.answering.planning import plan_question
from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.dbt import files
from recall_duckdb.dbt.arguments import ARGUMENTS, policy_choices
from recall_duckdb.dbt.catalog import pipeline
from recall_duckdb.dbt.files import ADAPTERS
from recall_duckdb.dbt.parameters import OF_METRIC
from recall_duckdb.definitions import reading, templates
from recall_duckdb.definitions.reading import inputs_of
from recall_duckdb.dialects import render
from recall_duckdb.engines.opening import open_session
from recall_duckdb.inputs import canonical
from recall_duckdb.question import SqlQuestion
from recall_duckdb.question.policies import CHOICES

pytestmark = pytest.mark.nightly

SAME_WORDS = pytest.mark.skipif(
    int(version("sqlglot").split(".")[0]) < 30, reason="sqlglot before 30 writes different SQL"
)
TABLES = {"run": "shop.recommendations", "qrels": "shop.purchases"}
PLAIN = [name for name, template in templates.own_metrics().items() if not template.of_whole_run]
OWN = [
    *("coverage", "gini", "overlap", "popularity", "novelty", "serendipity", "unexpectedness", "diversity"),
    "pair_diversity",
]


def cutoffs(name: str) -> str:
    """Return a metric at two cutoffs, or without a cutoff if it takes none."""
    return f"{name}@5,10" if "k" in templates.own_metrics()[name].parameters else name


OPTIONAL_INPUTS = {name: f"shop.{name}" for name in ("training", "obvious", "catalog", "features", "pairs")}
ACCURACY = [cutoffs(name) for name in PLAIN if name not in OWN]
# Arguments of `evaluate`, which are the same in Python and in a model of dbt.
QUESTIONS: dict[str, dict[str, Any]] = {
    "recall": {"metrics": ["recall@10"]},
    "all metrics": {"metrics": ACCURACY},
    "whole lists": {"metrics": [name.partition("@")[0] for name in ACCURACY if not name.startswith("partial_auc")]},
    "beyond accuracy": {"metrics": [cutoffs(name) for name in OWN], **OPTIONAL_INPUTS},
    "beyond accuracy, of whole lists": {"metrics": OWN, **OPTIONAL_INPUTS, "model": "system", "by": "country"},
    "expected ties": {"metrics": ["recall@5", "ndcg@5,10", "ap", "rr@10", "auc"], "ties": "expected"},
    **{ties: {"metrics": ["ndcg@5"], "ties": ties} for ties in ("item", "optimistic", "pessimistic")},
    "options": {
        "metrics": [
            "ap(over=capped)@10", "ap(over=k)@10", "ap(over=hits)", "ap(mean=geometric)", "precision(over=retrieved)@5",
            "fall_out(of=judged)@5", "judged(over=k)@10", "rbp(p=0.5)@10",
            "rbp(gain=linear)@10", "rbp(p=0.5,gain=scaled)", "rbp(over=ideal)@5", "fbeta(beta=2)@5",
            "iprec(recall=0.25)", "err(max_grade=3)@10", "recall(mean=sum)@5",
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
    "ascending": {"metrics": ["recall@5", "ndcg@10"], "order": "ascending"},
    "ranks": {"metrics": ["ndcg@10", "rr"], "rank": "position"},
    "ranks with items": {"metrics": ["ndcg@10"], "rank": "position", "items": "shop.items"},
    "exclude and items": {"metrics": ["recall@10"], "exclude": "shop.seen", "items": "shop.items"},
    "exclude and weights": {
        "metrics": ["recall@10", "ap(mean=geometric)"], "exclude": "shop.seen", "weights": "shop.w",
    },
    "models in a column": {"metrics": ["recall@10", "ap"], "model": "system", "by": ["country", "device"]},
    "several runs": {"metrics": ["recall@10"], "run": {"bm25": "shop.bm25", "it's": "shop.dense"}, "by": "country"},
    "one named run": {"metrics": ["recall@10"], "run": {"bm25": "shop.bm25"}},
    "queries of two columns": {
        "metrics": ["recall@10", "auc", "overlap@10"], "query": ["user_id", "day"], "qrels_query": ["buyer", "date"],
        "qrels_item": "product", "by": "day",
    },
    "slices of a table of queries": {"metrics": ["recall@10"], "by": ["country"], "query_slices": "shop.users"},
    "slices of labelled runs": {
        "metrics": ["recall@10"], "qrels": None, "relevance": "clicked", "by": "country", "query_slices": "shop.users",
    },
    "slices of the run": {"metrics": ["recall@10"], "by": ["country", "device"], "by_in": "run", "duplicates": "best"},
    "a slice of named runs": {"metrics": ["ap"], "by": "country", "by_in": "run", "run": {"a": "x", "b": "y"}},
    "labelled": {"metrics": ["recall@10", "ndcg@10"], "qrels": None, "relevance": "clicked", "by": "country"},
    "labelled, several models": {"metrics": ["recall@10"], "qrels": None, "relevance": "clicked", "model": "system"},
    "item slices": {
        "metrics": ["recall@10", "dcg(gain=exponential)@5", "hits(threshold=2)@5"], "item_by": ["tier", "kind"],
        "item_slices": "shop.items", "no_relevant": "skip",
    },
    "an item slice of several models": {
        "metrics": ["recall@10"], "item_by": "tier", "item_slices": "shop.items", "model": "system", "ties": "expected",
    },
    "depth": {"metrics": ["recall", "ndcg@10", "average_rank@200"], "depth": 100},
    "depth and cutoffs": {"metrics": ["recall@5", "ndcg@10"], "depth": 7},
    "no qrels": {"metrics": ["overlap@10", "coverage@10"], "qrels": None, "catalog": "shop.catalog", "by": "country"},
    "no qrels, several models": {"metrics": ["overlap@10"], "qrels": None, "model": "system"},
    "ids as text": {"metrics": ["recall@10"], "ids": "text", "exclude": "shop.seen", "query": ["user_id", "day"]},
    "features of ids as text": {"metrics": ["diversity@10"], "ids": "text", "features": "shop.f", "model": "system"},
    "unjudged items": {"metrics": ["ndcg@10"], "unjudged": "drop", "exclude": "shop.seen"},
    "unjudged items of ranks": {"metrics": ["ndcg@10"], "unjudged": "drop", "rank": "position"},
    "given ranks": {"metrics": ["ndcg@10"], "rank": "position", "ranks": "given", "exclude": "shop.seen"},
    "renumbered ranks": {
        "metrics": ["ndcg@10"], "rank": "position", "ranks": "renumber", "ties": "item", "duplicates": "best",
    },
    "duplicate judgements of ranks": {"metrics": ["ndcg@10"], "rank": "position", "duplicates": "best"},
    "an empty run": {"metrics": ["ndcg@10", "overlap@10"], "empty": "allow", "weights": "shop.w", "by": "country"},
    "several empty runs": {"metrics": ["ndcg@10"], "run": {"bm25": "x", "it's": "y"}, "empty": "allow"},
    "an empty model column": {"metrics": ["ndcg@10"], "model": "system", "empty": "allow"},
}  # fmt: skip


def macro(adapter: str, question: Mapping[str, Any], *, per_query: bool = False, folder: Path = FOLDER) -> str:
    """Return what `evaluate` of the dbt package writes."""
    given = {**TABLES, **question}
    return package(adapter, folder).call("evaluate", **given, per_query=per_query)


class PlanOfMacros(Plan):
    """A question whose ties are known only when dbt compiles it, as are its slices."""

    @property
    def arithmetic(self) -> list[str]:
        return ["expected"]


def composed(adapter: str, question: Mapping[str, Any], *, per_query: bool = False, pool: bool = False) -> exp.Select:
    """Return what Python composes, with relations named rd_… and without ORDER BY, as macros write it."""
    given = {**TABLES, **question}
    if given.pop("by_in", "qrels") == "run":  # Python would look up which relation has the column
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(canonical, "_by_side", lambda *_: "run")
            return composed(adapter, given, per_query=per_query, pool=pool)
    session = open_session(None, adapter, [], only_written=True)
    kind: dict[str, Any] = {"slices": "crossed"} if given.get("by") else {}
    planned = plan_question(SqlQuestion(**given, **kind, pool=pool), session, must_exist=False)
    plan = PlanOfMacros(**{each.name: getattr(planned, each.name) for each in fields(planned)})
    plan = replace(plan, replacements=Replacements({"averages": ""}))
    statements = Statement(plan).of_pool if pool else Statement(plan).of_per_query
    statement = statements() if pool or per_query else Statement(plan).of("means")
    statement.set("order", None)
    for name in statement.find_all(exp.Identifier):
        name._meta = None  # a macro writes names without quotes, and Snowflake turns those into capitals
    read_apart(statement)
    ours = {cte.alias for cte in statement.ctes}
    for cte in statement.ctes:
        cte.set("alias", exp.TableAlias(this=exp.to_identifier(f"rd_{cte.alias}")))
    for table in statement.find_all(exp.Table):
        if table.name in ours and not table.meta.get("of_the_user"):
            table.set("this", exp.to_identifier(f"rd_{table.name}"))
    return statement


def read_apart(statement: exp.Select) -> None:
    """Read each user relation in a subquery that renames its columns, since a macro cannot look them up."""
    for table in list(statement.find_all(exp.Table)):
        select = table.parent_select
        if not table.meta.get("of_the_user") or select is None:
            continue
        read = [(column.find(exp.Column) or column.this).copy() for column in select.expressions]
        names = {own.sql(): f"rd_{place}" for place, own in reversed([*enumerate(read, start=1)])}
        where = select.args.get("where")
        for place, part in enumerate([*select.expressions, *([where] if where else [])], start=1):
            for node in list(part.find_all(exp.Column, exp.Literal)):
                if node.sql() in names:
                    node.replace(exp.column(names[node.sql()] if part is where else f"rd_{place}"))
        apart = exp.select(*(exp.alias_(own, f"rd_{place}") for place, own in enumerate(read, start=1)))
        for name in apart.find_all(exp.Identifier):
            name.set("quoted", False)
        table.replace(apart.from_(table.copy()).subquery("rd_given"))


def tokens(text: str, dialect: str) -> dict[str, list[str]]:
    """Return the tokens of each relation by name, and those of the final SELECT as ''."""
    words = [token.text for token in sqlglot.tokenize(text, read=dialect)]
    assert words[0].upper() == "WITH"
    found, depth, name, start = {}, 0, words[1], 1
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word == ")" and name:
            found[name] = words[start:place]
            name, start = (words[place + 2], place + 2) if words[place + 1] == "," else ("", place + 1)
    return {**found, "": words[start:]}


@pytest.mark.product
@SAME_WORDS
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_macro_writes_what_python_composes(adapter: str, name: str) -> None:
    question = QUESTIONS[name]
    # per_query changes only the final SELECT, which only ClickHouse writes in its own way.
    for per_query in (False, True) if adapter in ("duckdb", "clickhouse") else (False,):
        written = tokens(macro(adapter, question, per_query=per_query), adapter)
        expected = tokens(render(composed(adapter, question, per_query=per_query), adapter, pretty=True), adapter)
        assert list(written) != [""]
        assert written == expected


@pytest.mark.product
@SAME_WORDS
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    "name", ["recall", "models in a column", "queries of two columns", "unjudged items", "no qrels"]
)
def test_the_macro_of_a_pool_writes_what_python_composes(adapter: str, name: str) -> None:
    question = {key: value for key, value in QUESTIONS[name].items() if key != "by"}
    written = tokens(package(adapter).call("pool", **TABLES | question), adapter)
    assert written == tokens(render(composed(adapter, question, pool=True), adapter), adapter)


def test_a_column_of_a_pool_in_dbt_gets_a_number_if_the_user_has_its_name() -> None:
    written = package("duckdb").call("pool", **TABLES | {"metrics": "rr@3", "query": "models", "item": '"Best_rank"'})
    assert "unjudged.query AS models," in written
    assert 'unjudged.item AS "Best_rank",' in written
    assert "unjudged.best_rank AS best_rank_1," in written
    assert "unjudged.models AS models_1" in written


def some_question(chosen: random.Random) -> dict[str, Any]:
    """Return a random question whose metrics, policies and columns go together."""
    several = chosen.sample(
        [*ACCURACY, "ndcg(gain=exponential)@3", "ndcg(gain=1:3,2:0.5)", "precision(threshold=2)@4", "rbp(p=0.25)"], 4
    )
    question: dict[str, Any] = {
        "metrics": several,
        "no_relevant": chosen.choice(["zero", "skip"]),
        "missing": chosen.choice(["zero", "skip"]),
        "precision": chosen.choice(["k", "retrieved"]),
        "threshold": chosen.choice([None, 1, 2.5, 1e-7]),
        "query": chosen.choice(["user_id", ["user_id", "day"]]),
        "by": chosen.choice([None, "country", ["day", "device"]]),
        "model": chosen.choice([None, "system"]),
    }
    optional = {
        "ties": chosen.choice(["item", "optimistic", "pessimistic"]),
        "semantics": "trec_eval_9",
        "duplicates": "best",
        "unjudged": "drop",
        "ids": "text",
        "empty": "allow",
        "nulls": "drop",
        "by_in": "run",
        "exclude": "shop.seen",
        "items": "shop.items",
        "weights": "shop.weights",
        "qrels_item": "product",
    }
    return question | {name: optional[name] for name in chosen.sample(sorted(optional), 3)}


@SAME_WORDS
@pytest.mark.parametrize("seed", range(40))
def test_macros_write_what_python_composes_for_random_questions(seed: int) -> None:
    question, adapter = some_question(random.Random(seed)), list(ADAPTERS)[seed % len(ADAPTERS)]
    written = tokens(macro(adapter, question), adapter)
    assert written == tokens(render(composed(adapter, question), adapter), adapter)


def test_nulls_last_does_not_change_the_statement() -> None:
    """Macros rank nulls last under every policy, by NULLS LAST or as the engine's default."""
    assert macro("duckdb", {"metrics": "recall@5", "nulls": "last"}) == macro("duckdb", {"metrics": "recall@5"})


def test_the_arguments_of_every_macro_are_documented() -> None:
    held = package("duckdb")
    paths = (FOLDER / "macros.yml", FOLDER / "generated" / "macros.yml")
    properties = [each for path in paths for each in yaml.safe_load(path.read_text("utf-8"))["macros"]]
    assert len({each["name"] for each in properties}) == len(properties)
    documented = {each["name"]: [one["name"] for one in each.get("arguments", [])] for each in properties}
    assert all(one["type"] and one["description"] for each in properties for one in each.get("arguments", []))
    assert all(each["docs"] == {"show": False} for each in properties if "arguments" not in each)
    assert set(documented) == held.names
    called = {name: arguments for name, arguments in documented.items() if arguments}
    assert {name: held.arguments(name) for name in called} == called
    metrics_called = {
        name if "k" not in template.parameters else f"{name}_at_k" for name, template in templates.own_metrics().items()
    }
    assert called.keys() >= metrics_called | {f"test_{name}_at_least" for name in metrics_called} | {"evaluate"}


def test_policies_of_macros_have_the_defaults_of_python_unless_a_check_is_needed() -> None:
    defaults = {name: policy_choices(name)[0] for name in CHOICES if name in ARGUMENTS}
    others = {name: value for name, value in defaults.items() if value != CHOICES[name][0]}
    assert others == {"duplicates": None, "nulls": "last", "ranks": None, "empty": None}


def test_a_relation_comes_after_the_relations_that_it_reads() -> None:
    """The relations that exist once per judging are those of Python."""
    held = files.relations()
    order = pipeline(held.values())
    assert set(order["judged"]) == {template.name for template in held.values()} & reading.per_judging()
    names = [name for part in order.values() for name in part]
    assert len(names) == len(set(names))
    for template in held.values():
        if template.name not in ("source", "means"):
            assert all(names.index(read) < names.index(template.name) for read in template.reads)


def test_no_option_overrides_a_fact_of_a_metric() -> None:
    q: dict[str, Any] = {}
    package("duckdb").call("add_metrics", q, ["fbeta@5", "recall@5"], None, "k", "item_desc")
    of_fbeta, of_recall = (set(metric) for metric in q["metrics"])
    assert of_recall == set(OF_METRIC)
    assert of_fbeta == {*OF_METRIC, "beta", "over"}


FAULTS = {
    "duckdb": ("metrics/recall.sql", "default", "rank", "ideal_rank"),
    "postgres": ("relations/averages.sql", "postgres", "is_slice", "is_sliced"),
    "clickhouse": ("relations/source.sql", "clickhouse", "isNaN", "isFinite"),
    "bigquery": ("relations/ranked_item_desc.sql", "trino", "DESC", "ASC"),
    "trino": ("type_double.sql", "default", "DOUBLE", "REAL"),
    "spark": ("relations/averages.sql", "default", "COUNT", "SUM"),
}


@SAME_WORDS
@pytest.mark.parametrize("adapter", FAULTS)
def test_a_fault_in_a_macro_is_caught(adapter: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "macros")
    file, prefix, right, wrong = FAULTS[adapter]
    path = tmp_path / "macros" / "generated" / file
    head, start, rest = path.read_text("utf-8").partition(f"{{% macro {prefix}__")
    body, end, rest = rest.partition("endmacro")
    assert right in body
    path.write_text(head + start + body.replace(right, wrong) + end + rest, "utf-8")
    written = macro(adapter, QUESTIONS["recall"], folder=tmp_path / "macros")
    expected = render(composed(adapter, QUESTIONS["recall"]), adapter)
    assert tokens(written, adapter) != tokens(expected, adapter)
    assert tokens(macro(adapter, QUESTIONS["recall"]), adapter) == tokens(expected, adapter)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metrics": "recal@10"}, "there is no metric recal"),
        ({"user": "user_id"}, "evaluate has no argument user. Its arguments: metrics, run, qrels, query, item, score"),
        ({"metrics": "foo_10"}, "there is no metric foo_10 (in foo_10). Known:"),
        ({"metrics": []}, "metrics: name at least one"),
        ({"metrics": "recall@0"}, "k must be a whole number from 1 to 999999999999999999, not 0"),
        ({"metrics": "recall@ten"}, "k must be a whole number"),
        ({"metrics": "bpref@10"}, "takes no cutoff"),
        ({"metrics": "rbp(gain=scaled,threshold=2)@10"}, "the threshold has no effect here"),
        ({"metrics": "rbp(p=2)@10"}, "p is a number above 0 and below 1"),
        ({"metrics": "ndcg(gain=1:1,1:2)@10"}, "gain is linear, exponential, binary or a table such as 1:1,2:5"),
        ({"metrics": "ndcg(gain=1:-1)@10"}, "or a table such as 1:1,2:5 (default: linear), not 1:-1"),
        ({"metrics": "ndcg(gain=table)@10"}, "or a table such as 1:1,2:5"),
        ({"metrics": "rbp(q=2)@10"}, "rbp has no option q=2"),
        ({"metrics": "ndcg(threshold=2)"}, "the threshold has no effect here"),
        ({"metrics": "coverage@10"}, "coverage needs catalog=: pass the relation"),
        ({"metrics": "bpref", "ties": "expected"}, "no closed form for bpref"),
        ({"ties": "random"}, "ties: random is not one of item_desc, item"),
        ({"no_relevant": "error"}, "no_relevant: a macro cannot raise an error for data: use a data test"),
        ({"metrics": "auc", "depth": 5}, "depth: auc needs whole lists"),
        ({"depth": 0}, "k must be a whole number"),
        ({"relevance": "none"}, "relevance: none in quotes is a column name: write none, or null in YAML"),
        ({"threshold": 0}, "threshold: 0.0 is not above 0"),
        ({"threshold": "2"}, "threshold: a number is expected, not the text '2': write it without quotes"),
        ({"threshold": float("nan")}, "threshold: a number is expected, not nan"),
        ({"metrics": "recall@5@7"}, "recall@5@7 is not a valid metric"),
        ({"metrics": "rbp(p=0.5)x@5"}, "is not a valid metric"),
        ({"metrics": "rbp(p=0.5@5"}, "is not a valid metric"),
        ({"metrics": "rbp(p=nan)@5"}, "p is a number above 0 and below 1"),
        ({"metrics": "iprec(recall=1-5)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "iprec(recall=0.1.2)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "iprec(recall=e5)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "iprec(recall=)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "rbp(p=0.5=0.6)@5"}, "rbp has no option"),
        ({"metrics": {"recall": 5}}, "metrics: a name such as 'recall@10' is expected"),
        ({"metrics": None}, "metrics: a name such as 'recall@10' is expected"),
        ({"rank": "place", "score": "points"}, "score: place (rank=) already ranks the items"),
        ({"run": {}}, "run: a relation is expected"),
        ({"run": None}, "run: a relation is expected"),
        ({"run": {"a\\b": "x"}}, "run: a\\b cannot be a name: engines differ"),
        ({"run": {1: "x"}}, "run: a text is expected, not 1. Write it in quotes"),
        ({"score": ["a", "b"]}, "score: one column is expected"),
        ({"item": ""}, "item: one column is expected"),
        ({"by": "upper(country)"}, "by: upper(country) is not a column name"),
        ({"catalog": "shop.catalog"}, "catalog: no requested metric reads it"),
        ({"query": []}, "query: name the column"),
        ({"query": ["a", "a"]}, "names a column twice"),
        ({"qrels_query": ["a", "b"]}, "must be as many columns"),
        ({"by": '"Value"'}, 'by: the result has a column "Value" of its own'),
        ({"query": "recall_at_10", "metrics": "recall@10"}, "the result has a column recall_at_10 for the metric"),
        ({"qrels": None, "relevance": None}, "relevance: without qrels="),
        ({"qrels": None, "qrels_item": "x"}, "no qrels= was given"),
        ({"run": {"a": "x", "b": "y"}, "model": "system"}, "model: pass only one of"),
        ({"rank": "position", "min_score": 1}, "they need a score"),
        ({"rank": "position", "order": "ascending"}, "order: ascending needs a score"),
        ({"order": "ascending", "min_score": 1}, "min_score: it is a lowest score"),
        ({"score": '"Distance"'}, 'score: "Distance" is usually a distance'),
        ({"score": "Position"}, "score: Position is usually a rank, of which the lowest is the best. Pass rank="),
        ({"item": "query"}, "query, item: both name the column query"),
        ({"qrels_item": "relevance"}, "qrels_item, relevance: both name the column relevance"),
    ],
)
def test_an_invalid_argument_is_a_compilation_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: .*{re.escape(message)}"):
        macro("duckdb", {"metrics": "recall@10", **given})


def test_shared_messages_get_all_their_values() -> None:
    told = {name.lower(): message.text for name, message in vars(messages).items() if name.isupper()}
    text = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.sql"))
    used = re.findall(r"refuse_as\('(\w+)', {(.*)}\)", text)
    assert len(used) == text.count("recall_duckdb.refuse_as(")
    assert {name for name, _ in used} == set(told)
    for name, given in used:
        assert set(re.findall(r"'(\w+)': ", given)) == set(re.findall(r"{(\w+)}", told[name])), name


def test_an_unknown_adapter_is_an_error() -> None:
    with pytest.raises(CompilationError, match="the adapter sqlserver is not one of duckdb, trino, athena"):
        Package("sqlserver", ()).call("recall_at_k", "shop.recommendations", "shop.purchases")


@pytest.mark.parametrize("name", templates.own_metrics())
def test_the_macro_and_the_test_of_a_metric_call_evaluate(name: str) -> None:
    takes_k = "k" in templates.own_metrics()[name].parameters
    optional = {
        each: OPTIONAL_INPUTS[each] for each in inputs_of(templates.own_metrics()[name]) if each in OPTIONAL_INPUTS
    }
    given = {"query": "user_id", "relevance": "quantity", **optional}
    expected = macro("duckdb", {"metrics": f"{name}@3,7" if takes_k else name, **given})
    called, cutoffs = (f"{name}_at_k", {"k": [3, 7]}) if takes_k else (name, {})
    assert package("duckdb").call(called, *TABLES.values(), **cutoffs, **given) == expected
    test = package("duckdb").call(f"test_{called}_at_least", TABLES["run"], 0.5, TABLES["qrels"], **cutoffs, **given)
    assert " ".join(expected.split()) in " ".join(test.split())


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("recall_at_k", {"run": "shop.run", "kk": 5}, "evaluate has no argument kk"),
        ("test_recall_at_k_at_least", {"model": "shop.run", "at_least": 0.5, "kk": 5}, "evaluate has no argument kk"),
        ("pool", {"metrics": "rr", "run": "shop.run", "by": "day"}, "pool has no argument by"),
        (
            "means_by_day",
            {"metrics": "rr", "run": "shop.run", "date": "2026-01-03"},
            "means_by_day has no argument date",
        ),
        ("test_check", {"model": "shop.run", "user": "user_id"}, "check has no argument user"),
    ],
)
def test_an_unknown_argument_is_an_error_with_the_known_ones(name: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: {told}. Its arguments: .*query, item,"):
        package("duckdb").call(name, **given)


def test_an_argument_by_position_and_by_name_is_an_error() -> None:
    with pytest.raises(
        CompilationError, match="recall_duckdb: evaluate is given metrics twice. Its arguments: metrics,"
    ):
        package("duckdb").call("evaluate", "recall@5", TABLES["run"], metrics="rr")


@pytest.mark.parametrize(
    ("other", "own"),
    [
        ("map@10", "ap@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("NDCG@5,10", "ndcg@5,10"),
        ("mrr(threshold=2)", "rr(threshold=2)"),
        (["rr", "P_5"], ["rr", "precision@5"]),
    ],
)
def test_names_of_other_libraries_are_names_of_metrics(other: Any, own: Any) -> None:
    assert macro("duckdb", {"metrics": other}) == macro("duckdb", {"metrics": own})


def test_the_test_of_a_metric_takes_no_per_query() -> None:
    with pytest.raises(TypeError, match="multiple values for keyword argument 'per_query'"):
        package("duckdb").call("test_recall_at_k_at_least", TABLES["run"], 0.5, TABLES["qrels"], per_query=True)


def test_options_of_a_metric_are_arguments_of_its_macro() -> None:
    called = package("duckdb").call("fbeta_at_k", *TABLES.values(), k=[5, 10], beta=2, over="retrieved", mean="sum")
    assert called == macro("duckdb", {"metrics": "fbeta(beta=2,over=retrieved,mean=sum)@5,10"})


def test_relevance_none_and_filters_are_written() -> None:
    text = macro("duckdb", {"metrics": "recall@10", "relevance": None, "filter": "day > 3", "qrels_filter": "day > 4"})
    assert re.search(r"score AS rd_3 FROM shop.recommendations WHERE day > 3\s+\) AS rd_given", text)
    assert re.search(r"1 AS rd_3 FROM shop.purchases WHERE day > 4\s+\) AS rd_given", text)
    text = macro("duckdb", {"metrics": "recall@10", "filter": "day > 3", "qrels_filter": ""})
    assert text.count("WHERE day > 3") == 1


def by_day(**given: object) -> str:
    """Return what `means_by_day` of the dbt package writes."""
    return package("duckdb").call("means_by_day", **{"metrics": "recall@2", "days": "2026-01-03", **TABLES, **given})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"days": None}, "days: a day such as '2026-01-31' is expected, or a list of them, not nothing"),
        ({"days": "yesterday"}, "days: a day such as '2026-01-31' is expected, or a list of them, not yesterday"),
        *(
            ({"days": day}, f"days: a day such as '2026-01-31' is expected, or a list of them, not {day}")
            for day in (
                "2026-02-30",
                "2026-13-01",
                "9999-12-31",
                "0001-01-01",
                "2026-01-02 garbage",
                "2026-01-02T",
                "²026-01-02",
            )
        ),
        ({"day_column": ["day"]}, "day_column: one column is expected, not ['day']"),
        ({"day_column": ""}, "day_column: one column is expected, not nothing"),
        ({"qrels_day_column": ["day"]}, "qrels_day_column: one column is expected, not ['day']"),
        ({"days": ["2026-01-01", "2026-01-01"]}, "days: name at least one day, and each once"),
        ({"days": []}, "days: name at least one day"),
        ({"windows": 0}, "windows: numbers of days are expected, such as [1, 7, 28], each once, not 0"),
        ({"windows": [7, 7]}, "windows: numbers of days are expected, such as [1, 7, 28], each once, not 7"),
        ({"windows": []}, "windows: name at least one length"),
        ({"windows": 7, "day_column": None}, "windows: 7 days need the column of the day in run and qrels"),
        ({"windows": 7, "qrels_day_column": ""}, "windows: 7 days need the column of the day in run and qrels"),
        ({"days": ["2026-01-01", "2026-01-02"], "day_column": None}, "day_column: without it, the run holds a single"),
        ({"by": "version"}, "by, item_by: the result has a column version of its own"),
    ],
)
def test_an_invalid_day_is_a_compilation_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: .*{re.escape(message)}"):
        by_day(**given)


@pytest.mark.parametrize("day", [datetime.date(2026, 1, 3), "2026-01-03 08:00:00", "2026-01-03T00:00:00+00:00"])
def test_a_day_can_be_a_date_or_a_time(day: object) -> None:
    assert by_day(days=day) == by_day(days="2026-01-03")


@pytest.mark.parametrize(("windows", "read"), [(1, {1}), (7, {3}), ([1, 2], {1, 2})])
def test_a_day_reads_only_the_files_of_its_window(windows: object, read: set[int], tmp_path: Path) -> None:
    opened = duckdb.connect()
    opened.execute("CREATE SCHEMA shop")
    for name in ("recommendations", "purchases"):
        rows = "SELECT DATE '2026-01-01' + d::INT AS day, 'u' AS query, 'a' AS item, 1 AS score, 1 AS relevance"
        opened.execute(f"COPY ({rows} FROM range(9) AS _(d)) TO '{tmp_path / name}' (FORMAT parquet, PARTITION_BY day)")
        written = f"read_parquet('{tmp_path / name}/*/*', hive_partitioning = true)"
        opened.execute(f"CREATE VIEW shop.{name} AS FROM {written}")
    [[_, plan]] = opened.execute(f"EXPLAIN (FORMAT json) {by_day(windows=windows)}").fetchall()
    assert {int(scanned) for scanned in re.findall(r'"Scanning Files": "(\d+)/9"', plan)} == read
    means = opened.execute(by_day(windows=windows, days=["2026-01-03", "2026-01-04"])).fetchall()
    assert {row[4] for row in means} == ({3, 4} if windows == 7 else read)


def test_a_day_can_be_a_time_and_have_another_name_in_the_qrels() -> None:
    opened = duckdb.connect()
    opened.execute("CREATE SCHEMA shop")
    opened.execute(
        "CREATE TABLE shop.recommendations AS SELECT 'u' AS query, 'a' AS item, 1 AS score, "
        "TIMESTAMP '2026-01-03 23:59:59.5' AS day"
    )
    opened.execute(
        "CREATE TABLE shop.purchases AS SELECT 'u' AS query, 'a' AS item, 1 AS relevance, DATE '2026-01-03' AS d"
    )
    found = opened.execute(by_day(qrels_day_column="d")).fetchall()
    assert [(row[3], row[4]) for row in found] == [(1.0, 1)]
    static = by_day(qrels_day_column="", filter="query <> 'v'", qrels_filter="")
    assert static.count("WHERE") == by_day(qrels_day_column="d", qrels_filter="").count("WHERE") - 1
    assert len(opened.execute(static).fetchall()) == 1
    assert "day >=" not in by_day(day_column=None)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"query": ["query", '"kind"'], "qrels_query": ["query", "kind"]},
        {"query": ["query", "DAY"], "qrels_query": ["query", "on_day"]},
    ],
)
def test_times_of_a_day_match_in_several_days(given: dict[str, object]) -> None:
    opened = duckdb.connect()
    opened.execute("CREATE SCHEMA shop")
    at = "SELECT 'u' AS query, 'k' AS kind, 'a' AS item, DATE '2026-01-03' AS on_day"
    opened.execute(f"CREATE TABLE shop.recommendations AS {at}, 1 AS score, TIMESTAMP '2026-01-03 08:00:00' AS day")
    opened.execute(f"CREATE TABLE shop.purchases AS {at}, 1 AS relevance, TIMESTAMP '2026-01-03 21:30:00' AS day")
    if "DAY" in given.get("query", ""):  # type: ignore[operator]
        opened.execute("ALTER TABLE shop.recommendations ALTER day TYPE DATE")
    found = opened.execute(by_day(windows=[1, 7], **given)).fetchall()
    assert sorted((row[7], row[3], row[4]) for row in found) == [(1, 1.0, 1), (7, 1.0, 1)]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_replaces_the_rows_of_a_day(adapter: str) -> None:
    written = package(adapter).call("replace_days", "night")
    assert "'materialized': 'incremental'" in written
    assert "'full_refresh': False" in written
    assert written.count("night") == 1
    assert ("delete+insert" in written) != ("insert_overwrite" in written)
    assert ("insert_overwrite" in written) == (adapter in ("spark", "bigquery", "athena"))


def test_the_dbt_package_has_the_version_of_the_python_package() -> None:
    assert f"version: {__version__}\n" in (FOLDER.parent / "dbt_project.yml").read_text("utf-8")
