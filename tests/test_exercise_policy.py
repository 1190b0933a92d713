"""To add the value of a policy, a contributor adds its SQL, and its name in policies.py. The rest is generic."""

from __future__ import annotations

import pytest
from copied import GENERATES_MACROS, ROOT, Copied
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
