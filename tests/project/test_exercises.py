"""A contributor adds a metric, a value of a policy, policies and a check as the tasks in CONTRIBUTING.md say.

No other file changes: Python, the command line, statements, the dbt macros and the table macros know them.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from copied import GENERATES_MACROS, Copied
from folders import ROOT
from macros import CompilationError, Package

METRIC, CHECK, VALUE = "sql/4_metrics/decay.sql", "sql/checks/long_items.sql", "sql/2_ranking/ranked/shortest.sql"
POLICIES, GRADED = "recall_duckdb/question/policies.py", "sql/3_judging/graded.sql"
CANDIDATES, JUDGEMENTS = "sql/2_ranking/candidates.sql", "sql/2_ranking/judgements.sql"
BY_ITEM = (ROOT / "sql/2_ranking/ranked/item.sql").read_text()
DECAY = """-- The sum of alpha^(r - 1) over the ranks r of the relevant items.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $alpha, the gain at rank 2. $base, limit to multiply by 1 - alpha.
-- Option: $alpha = 0.5 in (0, 1)
-- Option: $base = one in {one, limit}
-- Depth:  $k
SELECT
  model,
  query,
  exact_sum(CASE WHEN in_top(rank, $k) AND is_relevant = 1 THEN power($alpha, CAST(rank - 1 AS DOUBLE)) ELSE 0 END)
  * CASE WHEN $base = 'limit' THEN 1 - $alpha ELSE CAST(1 AS DOUBLE) END AS decay
FROM judged
GROUP BY model, query
"""
LONG_ITEMS = """-- Items of the run with more than 20 characters, which may be titles instead of ids.
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
WRITTEN = {
    METRIC: DECAY,
    CHECK: LONG_ITEMS,
    VALUE: BY_ITEM.replace("      item ASC", "      length(item) ASC NULLS FIRST,\n      item ASC"),
}
# In each file, the text that is replaced, and the text that replaces it.
REPLACED = (
    (POLICIES, '"expected"]', '"expected", "shortest"]'),
    (
        POLICIES,
        "    depth: int | None = None\n\n",
        '    fractions: Literal["count", "ignore"] = "count"\n'
        '    run_ids: Literal["any", "long"] = "any"\n'
        '    judged_ids: Literal["any", "long"] = "any"\n'
        "    depth: int | None = None\n\n",
    ),
    (
        POLICIES,
        "        empty: an empty run,",
        "        fractions: a relevance below 1 counts (count) or not (ignore).\n"
        "        run_ids: any item of the run, or those of more than one letter.\n"
        "        judged_ids: any judged item, or those of more than one letter.\n"
        "        empty: an empty run,",
    ),
    (GRADED, "$threshold, the lowest", "$fractions, whether relevance below 1 counts; $threshold, the lowest"),
    (GRADED, "is_relevant_at(", "CASE WHEN $fractions = 'count' OR relevance >= 1 THEN 1 ELSE 0 END * is_relevant_at("),
    (CANDIDATES, "Params: $exclude", "Params: $run_ids, the items of the run; $exclude"),
    (CANDIDATES, "(NOT $exclude", "($run_ids = 'any' OR length(item) > 1) AND (NOT $exclude"),
    (JUDGEMENTS, "Params: $items", "Params: $judged_ids, the judged items; $items"),
    (JUDGEMENTS, "NOT $items OR is_listed = 1 OR item IS NULL", "CASE WHEN $judged_ids = 'any' OR length(item) > 1 "
     "THEN NOT $items OR is_listed = 1 OR item IS NULL END"),
)  # fmt: skip


def contributed(folder: Path) -> Copied:
    """Return a copy of the package in which a contributor has done all of this."""
    copied = Copied(folder)
    for path, text in WRITTEN.items():
        copied.write(path, text)
    for path, old, new in REPLACED:
        copied.replace(path, old, new)
    return copied


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    return contributed(tmp_path_factory.mktemp("contributed"))


@pytest.fixture(scope="module")
def macros(copied: Copied) -> Path:
    copied.run("-m", "recall_duckdb.macros")
    assert copied.changed() == {*WRITTEN, POLICIES, GRADED, CANDIDATES, JUDGEMENTS}
    return copied.folder / "sql" / "macros"


QRELS = [("u", "a", 1), ("u", "c", 1), ("v", "b", 1)]
RUN = [("u", "a", 0.9), ("u", "b", 0.8), ("u", "c", 0.7), ("v", "a", 0.9), ("v", "b", 0.8)]
# Ranks 1 and 3 of u and rank 2 of v are relevant: the mean of 1 + alpha^2 and alpha.
EXPECTED = {
    "decay@3": (1 + 0.5**2 + 0.5) / 2,
    "decay@2": (1 + 0.5) / 2,
    "decay(alpha=0.2)@3": (1 + 0.2**2 + 0.2) / 2,
    "decay(alpha=0.2,base=limit)": (1 + 0.2**2 + 0.2) / 2 * 0.8,
}
SETUP = """
import sqlite3
from recall_duckdb import check, evaluate, sql
from recall_duckdb.answering.forms import forms
from recall_duckdb.answering.planning import planned
from recall_duckdb.engines.opening import open_session
from recall_duckdb.question import EvaluateQuestion

def run(*rows): return dict(zip(("query", "item", "score"), map(list, zip(*rows))))
def qrels(*rows): return dict(zip(("query", "item", "relevance"), map(list, zip(*rows))))
def values(run, qrels, *metrics, **given):
    result = evaluate(run, qrels, metrics, **given)
    return [result.value(metric) for metric in metrics]
def is_in_lists(run, qrels, metric, **given):  # True if lists answer, which know no new policy
    question = EvaluateQuestion(run, qrels, (metric,), **given)
    with open_session(None, sources=question.sources()) as session, planned(question, session) as plan:
        return "answers" in next(forms(plan, session, is_small=True)).columns
"""


RULE = "olumn 'item' holds texts of more than 20 characters in the run"
MESSAGE = f"C{RULE} (1 case), for example query='q2', item='the wizard of menlo park'. Pass the column of the ids as "
ITEMS = f"""{SETUP}
judged = qrels(("q1", "a", 1), ("q2", "c", 1))
titles = run(("q1", "a", 0.9), ("q2", "the wizard of menlo park", 0.8))
"""


def test_every_call_knows_the_metric_the_value_the_policies_and_the_check(copied: Copied) -> None:
    """Another value than the default is answered in rows, because lists do not know the policy."""
    means, ranks, recall, numbers, error, found, others, texts = copied.answer(f"""{ITEMS}
means = values(run(*{RUN}), qrels(*{QRELS}), *{list(EXPECTED)})

equal = run((1, "ccc", 0.5), (1, "a", 0.5), (1, "bb", 0.5))
ranks = [[1 / values(equal, qrels((1, item, 1)), "rr", ties=ties)[0] for item in ("a", "bb", "ccc")]
    for ties in ("shortest", "item_desc")]

rows, half = run((1, 1, 0.9), (1, 2, 0.8)), qrels((1, 1, 0.5), (1, 9, 0.5), (1, 2, 1))
connection = sqlite3.connect(":memory:")
for name, columns in (("run", rows), ("qrels", half)):
    connection.execute(f"CREATE TABLE {{name}} ({{', '.join(columns)}})")
    connection.executemany(f"INSERT INTO {{name}} VALUES (?, ?, ?)", zip(*columns.values()))
recall = {{value: values(rows, half, "recall", fractions=value)
    + values("run", "qrels", "recall", fractions=value, connection=connection)
    + [is_in_lists(rows, half, "recall", fractions=value)] for value in ("count", "ignore")}}

both = run((1, "a", 0.9), (1, "bb", 0.8)), qrels((1, "a", 1), (1, "bb", 1))
numbers = {{f"{{name}}={{value}}": values(*both, "num_ret", "num_rel_ret", "num_rel", **{{name: value}})
    for name in ("run_ids", "judged_ids") for value in ("any", "long")}}

try:
    evaluate(titles, judged, 'recall@1')
except ValueError as error:
    message = str(error)
others = check(titles, judged, skip=['long_items']).checks
asked = [{{}}, {{"fractions": "ignore"}}, {{"run_ids": "long"}}, {{"judged_ids": "long"}}, {{"ties": "shortest"}}]
texts = [sql("run", "qrels", "decay(alpha=0.2)@3", dialect="snowflake", **each) for each in asked]
answer = means, ranks, recall, numbers, message, check(titles, judged).to_dicts(), others, texts""")
    assert means == pytest.approx(list(EXPECTED.values()), abs=1e-12)
    assert ranks == [[1, 2, 3], [3, 2, 1]]
    assert recall == {"count": [2 / 3, 2 / 3, True], "ignore": [1, 1, False]}
    assert numbers == {
        "run_ids=any": [2, 2, 2], "run_ids=long": [1, 1, 2], "judged_ids=any": [2, 2, 2], "judged_ids=long": [2, 1, 1],
    }  # fmt: skip
    assert error == f"{MESSAGE}item=."
    [fault] = [each for each in found if each["check"] == "long_items"]
    assert fault["rule"] == f"c{RULE}"
    assert fault["examples"] == [{"query": "q2", "item": "the wizard of menlo park"}]
    assert "long_items" not in others
    assert len({*texts}) == len(texts)
    assert "fractions=ignore" in texts[1].split("*/")[0]
    assert all("0.2" in text and "$" not in text for text in texts)
    help_ = copied.run("-m", "recall_duckdb", "evaluate", "--help").stdout
    assert "expected,shortest}" in help_
    assert "--fractions {count,ignore}" in help_


@pytest.mark.slow
def test_the_check_does_not_run_if_its_head_says_that_lists_see_the_fault(tmp_path: Path) -> None:
    copied = contributed(tmp_path)
    copied.replace(CHECK, "-- Rule:", "-- Seen:   lists\n-- Rule:")
    assert copied.answer(f"""{ITEMS}\nanswer = values(titles, judged, "recall@1")""") == [0.5]


@pytest.fixture
def database() -> duckdb.DuckDBPyConnection:
    database = duckdb.connect()
    for name, rows, number in (("run", RUN, "score"), ("qrels", QRELS, "relevance")):
        values = ", ".join(map(str, rows))
        database.execute(f"CREATE TABLE {name} AS FROM (VALUES {values}) AS t (query, item, {number})")
    return database


@pytest.mark.slow
@GENERATES_MACROS
def test_the_macros_of_dbt_know_the_metric_and_refuse_the_policies(
    macros: Path, database: duckdb.DuckDBPyConnection
) -> None:
    package = Package("duckdb", (), macros)
    assert package.arguments("decay_at_k")[:5] == ["run", "qrels", "k", "alpha", "base"]
    assert "alpha" in package.arguments("test_decay_at_k_at_least")
    of_all = database.sql(package.call("evaluate", list(EXPECTED), "run", "qrels")).fetchall()
    assert [row[3] for row in of_all] == pytest.approx(list(EXPECTED.values()), abs=1e-12)
    [alone] = database.sql(package.call("decay_at_k", "run", "qrels", k=3, alpha=0.2)).fetchall()
    assert alone[3] == pytest.approx(EXPECTED["decay(alpha=0.2)@3"], abs=1e-12)
    for policy, value in {"ties": "shortest", "fractions": "ignore"}.items():
        with pytest.raises(CompilationError, match=f"{policy}: the dbt package has no such argument"):
            package.call("rr_at_k", "run", "qrels", **{policy: value})


@pytest.mark.slow
@GENERATES_MACROS
def test_the_metric_is_a_table_macro_and_a_function_of_lists(
    copied: Copied, database: duckdb.DuckDBPyConnection
) -> None:
    database.execute(copied.answer("from recall_duckdb.macros.writing import text\nanswer = text()"))
    [(found,)] = database.execute("SELECT value FROM recall_duckdb.decay_at_k('run', 'qrels', 3, 0.2)").fetchall()
    assert found == pytest.approx(EXPECTED["decay(alpha=0.2)@3"], abs=1e-12)
    of_lists = "SELECT recall_duckdb.decay_at_k(['x', 'a', 'b'], ['a', 'b'], alpha := 0.2)"
    assert database.execute(of_lists).fetchall() == [(pytest.approx(0.24, abs=1e-12),)]


@pytest.mark.slow
@GENERATES_MACROS
def test_an_option_that_no_macro_can_have_is_refused(tmp_path: Path) -> None:
    copied, path = Copied(tmp_path), tmp_path / METRIC
    for old, new, message in (
        ("$alpha = 0.5 in (0, 1)", "", "parameter $alpha: give it values in the head, as in `-- Option: $alpha"),
        ("$alpha", "$column", "$column has another meaning in the dbt macros: rename the option of decay"),
    ):
        path.write_text(DECAY.replace(old, new).replace("-- Option: \n", ""))
        done = copied.run("-m", "recall_duckdb.macros", "--check", check=False)
        assert done.returncode == 2
        assert done.stderr.startswith(f"{path}: ")
        assert message in done.stderr
        assert "Traceback" not in done.stderr
