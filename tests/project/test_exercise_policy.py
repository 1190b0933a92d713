"""To add a policy, or the value of one, a contributor changes its SQL and policies.py. The rest is generic."""

from __future__ import annotations

from pathlib import Path

import pytest
from copied import GENERATES_MACROS, Copied
from folders import ROOT
from macros import Package

RANKED = "sql/2_ranking/ranked"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    copied = Copied(tmp_path_factory.mktemp("shortest"))
    by_item = (ROOT / RANKED / "item.sql").read_text()
    order = "      item ASC NULLS FIRST\n"
    by_length = by_item.replace(order, f"      length(item) ASC NULLS FIRST,\n{order}")
    assert by_length != by_item
    copied.write(f"{RANKED}/shortest.sql", by_length)
    copied.replace(
        "recall_duckdb/question/policies.py", '"pessimistic", "expected"]', '"pessimistic", "expected", "shortest"]'
    )
    assert copied.changed() == {f"{RANKED}/shortest.sql", "recall_duckdb/question/policies.py"}
    return copied


def test_every_call_takes_the_value(copied: Copied) -> None:
    ranks = copied.answer(
        "from recall_duckdb import evaluate\n"
        "run = {'query': [1, 1, 1], 'item': ['ccc', 'a', 'bb'], 'score': [0.5, 0.5, 0.5]}\n"
        "answer = {item: {ties: 1 / evaluate(run, {'query': [1], 'item': [item], 'relevance': [1]}, 'rr', ties=ties)\n"
        "    .value('rr') for ties in ('shortest', 'item_desc')} for item in run['item']}"
    )
    assert ranks == {
        "a": {"shortest": 1, "item_desc": 3},
        "bb": {"shortest": 2, "item_desc": 2},
        "ccc": {"shortest": 3, "item_desc": 1},
    }

    written = copied.answer(
        "from recall_duckdb import sql\n"
        "from recall_duckdb.dialects import DIALECTS\n"
        "answer = {dialect: sql('run', 'qrels', 'rr', ties='shortest', dialect=dialect) for dialect in DIALECTS}"
    )
    assert [dialect for dialect, text in written.items() if "len" not in text.lower()] == []

    help_ = copied.run("-m", "recall_duckdb", "evaluate", "--help").stdout
    assert "expected,shortest}" in help_


@GENERATES_MACROS
def test_a_macro_of_dbt_takes_the_value(copied: Copied) -> None:
    copied.run("-m", "recall_duckdb.dbt")
    macro = copied.folder / "sql" / "macros" / "generated" / "relations" / "ranked_shortest.sql"
    assert "{% macro relation_ranked_shortest(q) %}" in macro.read_text()
    package = Package("duckdb", (), copied.folder / "sql" / "macros")
    assert "LENGTH(item) ASC" in package.call("rr_at_k", "run", "qrels", ties="shortest")


POLICIES, GRADED = "recall_duckdb/question/policies.py", "sql/3_judging/graded.sql"
# By policy: recall here and over a connection, and whether one statement answers the question.
FRACTIONS = """
import sqlite3
from recall_duckdb import evaluate, sql
from recall_duckdb.dialects import DIALECTS
from recall_duckdb.engines.opening import open_session
from recall_duckdb.fast import small
from recall_duckdb.question import EvaluateQuestion

run = {"query": [1, 1], "item": ["a", "b"], "score": [0.9, 0.8]}
qrels = {"query": [1, 1, 1], "item": ["a", "x", "b"], "relevance": [0.5, 0.5, 1]}
connection = sqlite3.connect(":memory:")
connection.execute("CREATE TABLE run AS SELECT 1 AS query, 'a' AS item, 0.9 AS score UNION ALL SELECT 1, 'b', 0.8")
connection.execute("CREATE TABLE qrels (query, item, relevance)")
connection.executemany("INSERT INTO qrels VALUES (?, ?, ?)", zip(*qrels.values()))

answer = {}
for value in ("count", "ignore"):
    question = EvaluateQuestion(run, qrels, ("recall",), fractions=value)
    is_small = small.answer(question, open_session(None, sources=question.sources())) is not None
    there = evaluate("run", "qrels", "recall", fractions=value, connection=connection)
    answer[value] = [evaluate(run, qrels, "recall", fractions=value).value("recall"), there.value("recall"), is_small]
written = {value: [sql("run", "qrels", "recall", fractions=value, dialect=each) for each in DIALECTS]
           for value in answer}
answer["same"] = sum(map(str.__eq__, *written.values()))
"""


@pytest.mark.parametrize("name", ["candidates", "judgements"])
def test_a_policy_takes_effect_in_a_relation_that_other_questions_skip(tmp_path: Path, name: str) -> None:
    path = f"sql/2_ranking/{name}.sql"
    copied = Copied(tmp_path)
    copied.replace(
        POLICIES,
        "    depth: int | None = None\n\n",
        '    short_ids: Literal["keep", "drop"] = "keep"\n    depth: int | None = None\n\n',
    )
    copied.replace(
        POLICIES,
        "        empty: an empty run,",
        "        short_ids: keep or drop ids of one letter.\n        empty: an empty run,",
    )
    copied.replace(
        path, "true if `items` was given", "true if `items` was given; $short_ids, whether ids of one letter count"
    )
    where, condition = (
        f"WHERE{(ROOT / path).read_text().partition('WHERE')[2]}",
        "($short_ids = 'keep' OR length(item) > 1)",
    )
    copied.replace(path, where, f"WHERE {condition} AND ({where.removeprefix('WHERE').strip()})\n")
    answer = copied.answer(
        "from recall_duckdb import evaluate, sql\n"
        "run = {'query': [1, 1], 'item': ['a', 'bb'], 'score': [0.9, 0.8]}\n"
        "qrels = {'query': [1, 1], 'item': ['a', 'bb'], 'relevance': [1, 1]}\n"
        "ask = lambda value: evaluate(run, qrels, ['num_rel_ret', 'num_rel'], short_ids=value).to_dicts()\n"
        "answer = {value: [row['value'] for row in ask(value)] for value in ('keep', 'drop')}\n"
        "answer['heads'] = [sql('run', 'qrels', 'rr', short_ids=value).split('*/')[0].count(f'short_ids={value}')\n"
        "    for value in ('keep', 'drop')]"
    )
    assert answer == {"keep": [2, 2], "drop": [1, 2 if name == "candidates" else 1], "heads": [1, 1]}


@pytest.fixture(scope="module")
def with_fractions(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    copied = Copied(tmp_path_factory.mktemp("fractions"))
    before = {
        POLICIES: {
            "    depth: int | None = None\n\n": '    fractions: Literal["count", "ignore"] = "count"\n',
            "        empty: an empty run,": "        fractions: a relevance below 1 counts (count) or not (ignore).\n",
        },
        GRADED: {
            "$threshold, the lowest": "$fractions, whether relevance below 1 counts; ",
            "relevance > 0 AND reaches(relevance, $threshold, $threshold_as_float) THEN 1": (
                "($fractions = 'count' OR relevance >= 1) AND "
            ),
        },
    }
    for path, texts in before.items():
        for place, text in texts.items():
            copied.replace(path, place, f"{text}{place}")
    assert copied.changed() == {POLICIES, GRADED}
    return copied


def test_every_call_takes_a_new_policy(with_fractions: Copied) -> None:
    """Another value than the default is answered by definition, because fast plans do not know the policy."""
    answer = with_fractions.answer(FRACTIONS)
    assert answer == {"count": [2 / 3, 2 / 3, True], "ignore": [1, 1, False], "same": 0}
    help_ = with_fractions.run("-m", "recall_duckdb", "evaluate", "--help").stdout
    assert "--fractions {count,ignore}" in help_


@GENERATES_MACROS
def test_a_macro_of_dbt_has_the_default_of_a_new_policy(with_fractions: Copied) -> None:
    with_fractions.run("-m", "recall_duckdb.dbt")
    package = Package("duckdb", (), with_fractions.folder / "sql" / "macros")
    assert "relevance >= 1" not in package.call("recall_at_k", "run", "qrels")
