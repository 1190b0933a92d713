"""To add a check, a contributor adds one SQL file. `evaluate`, `check` and the table macros run it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from copied import GENERATES_MACROS, Copied

LONG_ITEMS = "sql/checks/long_items.sql"
TEXT = """-- Items of the run with more than 20 characters, which may be titles instead of ids.
--
-- Grain:  one row per such row of the run.
-- When:   texts = may_be_lists
-- Rule:   {item} holds texts of more than 20 characters in the run
-- Do:     Pass the column of the ids as item=.
SELECT
  model,
  query,
  item
FROM run
WHERE length(CAST(item AS VARCHAR)) > 20
"""
RULE = "olumn 'item' holds texts of more than 20 characters in the run"
MESSAGE = f"C{RULE} (1 case), for example query='q2', item='the wizard of menlo park'. Pass the column of the ids as "
DATA = """
from recall_duckdb import check, evaluate
from recall_duckdb.engines.opening import open_session
from recall_duckdb.fast import small
from recall_duckdb.question import EvaluateQuestion

def is_answered(run, qrels):
    question = EvaluateQuestion(run, qrels, ("recall@1",))
    return small.answer(question, open_session(None, sources=question.sources())) is not None

numbers = {"query": ["q1", "q2"], "item": [1, 2], "score": [0.9, 0.8]}
texts = {**numbers, "item": ["a", "b"]}
titles = {**numbers, "item": ["a", "the wizard of menlo park"]}
qrels = {"query": ["q1", "q2"], "item": ["a", "c"], "relevance": [1, 1]}
"""
CALLED = """
from recall_duckdb.macros import files

try:
    tables = [macro for macro in files.macros() if macro.is_table]
    answer = [macro.text() for macro in tables if macro.name in ("_judged", "rr_at_k", "ranking_check")]
except ValueError as error:
    answer = str(error)
"""


@pytest.fixture
def copied(tmp_path: Path) -> Copied:
    copied = Copied(tmp_path)
    copied.write(LONG_ITEMS, TEXT)
    assert copied.changed() == {LONG_ITEMS}
    return copied


def test_evaluate_and_check_find_the_fault(copied: Copied) -> None:
    error, found, others = copied.answer(
        f"{DATA}\n"
        "try:\n"
        "    evaluate(titles, qrels, 'recall@1')\n"
        "except ValueError as error:\n"
        "    message = str(error)\n"
        "answer = message, check(titles, qrels).to_dicts(), check(texts, qrels, skip=['long_items']).checks"
    )
    assert error == f"{MESSAGE}item=."
    [fault] = [each for each in found if each["check"] == "long_items"]
    assert fault["rule"] == f"c{RULE}"
    assert fault["examples"] == [{"query": "q2", "item": "the wizard of menlo park"}]
    assert "long_items" not in others


@pytest.mark.slow
def test_only_questions_to_which_it_applies_are_answered_by_definition(copied: Copied) -> None:
    """No plan that answers with one statement sees the fault, unless the head of the check says so."""
    asked = (
        f"{DATA}\n"
        "answer = {'texts': is_answered(texts, qrels), 'numbers': is_answered(numbers, {**qrels, 'item': [1, 3]}),\n"
        "    'value': evaluate(texts, qrels, 'recall@1').value('recall@1')}"
    )
    assert copied.answer(asked) == {"texts": False, "numbers": True, "value": 0.5}
    copied.replace(LONG_ITEMS, "-- Rule:", "-- Seen:   small\n-- Rule:")
    assert copied.answer(asked) == {"texts": True, "numbers": True, "value": 0.5}


@pytest.mark.slow
@GENERATES_MACROS
def test_the_table_macros_find_the_fault(copied: Copied) -> None:
    database = duckdb.connect()
    database.execute("CREATE SCHEMA recall_duckdb")
    for text in copied.answer(CALLED):
        database.execute(text)
    database.execute("CREATE TABLE run AS FROM (VALUES ('q1', 'a', 0.9), ('q2', 'b', 0.8)) AS t (query, item, score)")
    database.execute("CREATE TABLE qrels AS FROM (VALUES ('q1', 'a', 1), ('q2', 'c', 1)) AS t (query, item, relevance)")
    assert database.execute("SELECT value FROM recall_duckdb.rr_at_k('run', 'qrels')").fetchall() == [(0.5,)]

    database.execute("UPDATE run SET item = 'the wizard of menlo park' WHERE query = 'q2'")
    with pytest.raises(duckdb.Error) as caught:
        database.execute("FROM recall_duckdb.rr_at_k('run', 'qrels')")
    assert MESSAGE in str(caught.value)
    found = database.execute("FROM recall_duckdb.ranking_check('run', 'qrels')").fetchall()
    assert ("long_items", f"c{RULE}") in [row[:2] for row in found]


@pytest.mark.slow
@GENERATES_MACROS
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("> 20", "> $largest_k", "a table macro has no 'largest_k'. Write sql/table_macros/long_items.sql, or"),
        (
            "texts = may_be_lists",
            "left_out = rows",
            "When: a table macro cannot decide 'left_out'. Leave the check out",
        ),
        ("the ids", "{largest_k}", "a table macro has no '{largest_k}'. Write"),
    ],
)
def test_a_check_that_no_macro_can_run_is_refused(copied: Copied, old: str, new: str, message: str) -> None:
    copied.replace(LONG_ITEMS, old, new)
    assert message in copied.answer(CALLED)


@pytest.mark.slow
@GENERATES_MACROS
def test_a_check_can_be_left_out_of_macros(copied: Copied) -> None:
    copied.replace(LONG_ITEMS, "> 20", "> $largest_k")
    copied.replace(LONG_ITEMS, "texts = may_be_lists", "texts = may_be_lists; macro = no")
    assert not any("long_items" in text for text in copied.answer(CALLED))
