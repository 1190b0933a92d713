"""To add a metric with an option, a contributor adds one SQL file. Dialects and dbt macros need no other change."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import duckdb
import pytest
import sqlglot
from copied import GENERATES_MACROS, Copied
from macros import Package

from recall_duckdb.dbt.files import ADAPTERS, check_no_parameter
from recall_duckdb.dialects import DIALECTS

READS_DIALECTS = pytest.mark.skipif(
    int(version("sqlglot").split(".")[0]) < 30, reason="sqlglot before 30 cannot parse all SQL that it writes"
)
DECAY = "sql/4_metrics/decay.sql"
TEXT = """-- The sum of alpha^(r - 1) over the ranks r of the relevant items.
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
QRELS = [("u", "a", 1), ("u", "c", 1), ("v", "b", 1)]
RUN = [("u", "a", 0.9), ("u", "b", 0.8), ("u", "c", 0.7), ("v", "a", 0.9), ("v", "b", 0.8)]
# Ranks 1 and 3 of u and rank 2 of v are relevant: the mean of 1 + alpha^2 and alpha.
EXPECTED = {
    "decay@3": (1 + 0.5**2 + 0.5) / 2,
    "decay@2": (1 + 0.5) / 2,
    "decay(alpha=0.2)@3": (1 + 0.2**2 + 0.2) / 2,
    "decay(alpha=0.2,base=limit)": (1 + 0.2**2 + 0.2) / 2 * 0.8,
}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    copied = Copied(tmp_path_factory.mktemp("decay"))
    copied.write(DECAY, TEXT)
    return copied


@pytest.fixture(scope="module")
def macros(copied: Copied) -> Path:
    copied.run("-m", "recall_duckdb.dbt")
    assert copied.changed() == {DECAY}
    return copied.folder / "sql" / "macros"


def test_evaluate_computes_the_metric(copied: Copied) -> None:
    values = copied.answer(
        "from recall_duckdb import evaluate\n"
        f"run = dict(zip(('query', 'item', 'score'), zip(*{RUN})))\n"
        f"qrels = dict(zip(('query', 'item', 'relevance'), zip(*{QRELS})))\n"
        "lists = lambda columns: {name: list(values) for name, values in columns.items()}\n"
        f"result = evaluate(lists(run), lists(qrels), {list(EXPECTED)})\n"
        f"answer = {{name: result.value(name) for name in {list(EXPECTED)}}}"
    )
    assert values == pytest.approx(EXPECTED, abs=1e-12)


@pytest.mark.slow
@READS_DIALECTS
def test_every_dialect_writes_the_metric(copied: Copied) -> None:
    written = copied.answer(
        "from recall_duckdb import sql\n"
        "from recall_duckdb.dialects import DIALECTS\n"
        "answer = {each: sql('run', 'qrels', 'decay(alpha=0.2)@3', dialect=each) for each in DIALECTS}"
    )
    assert written.keys() == DIALECTS.keys()
    for dialect, text in written.items():
        spoken = DIALECTS[dialect].writer or dialect
        readable = re.sub(r"\b(0\.\d+)d\b", r"\1", text)  # sqlglot does not read Oracle's 0.5d
        statement = sqlglot.parse_one(readable, read=spoken)
        assert not list(statement.find_all(sqlglot.exp.Placeholder, sqlglot.exp.Parameter)), dialect
        check_no_parameter(statement.sql(spoken, comments=False), dialect)


@pytest.mark.slow
@GENERATES_MACROS
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_has_a_macro_of_the_metric(macros: Path, adapter: str) -> None:
    package = Package(adapter, (), macros)
    assert package.arguments("decay_at_k")[:5] == ["run", "qrels", "k", "alpha", "base"]
    assert "alpha" in package.arguments("test_decay_at_k_at_least")
    text = package.call("decay_at_k", "run", "qrels", k=3, alpha=0.25)
    check_no_parameter(text, adapter)
    assert "'0.25'" in text
    assert "'0.5'" in package.call("decay_at_k", "run", "qrels", k=3)


@pytest.mark.slow
@GENERATES_MACROS
def test_the_macro_runs_on_duckdb(macros: Path) -> None:
    package = Package("duckdb", (), macros)
    database = duckdb.connect()
    database.execute(f"CREATE TABLE run AS SELECT * FROM (VALUES {', '.join(map(str, RUN))}) AS t (query, item, score)")
    database.execute(
        f"CREATE TABLE qrels AS SELECT * FROM (VALUES {', '.join(map(str, QRELS))}) AS t (query, item, relevance)"
    )
    of_all = database.sql(package.call("evaluate", list(EXPECTED), "run", "qrels")).fetchall()
    assert [row[3] for row in of_all] == pytest.approx(list(EXPECTED.values()), abs=1e-12)
    [alone] = database.sql(package.call("decay_at_k", "run", "qrels", k=3, alpha=0.2)).fetchall()
    assert alone[3] == pytest.approx(EXPECTED["decay(alpha=0.2)@3"], abs=1e-12)


@pytest.mark.slow
@GENERATES_MACROS
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "$alpha = 0.5 in (0, 1)",
            "",
            "do not support the parameter $alpha: give it values in the head, as in `-- Option: $alpha",
        ),
        (
            "$alpha",
            "$weights",
            "$weights has another meaning in the dbt macros: rename the option of decay",
        ),
        (
            "$alpha",
            "$column",
            "$column has another meaning in the dbt macros: rename the option of decay",
        ),
        ("$alpha", "$min_score", "$min_score is a parameter of every evaluation. Give the option another name"),
        ("(0, 1)", "(0.6, 1)", "the default of $alpha is not among its values"),
    ],
)
def test_an_option_that_no_macro_can_have_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    copied = Copied(tmp_path)
    text = "\n".join(line for line in TEXT.replace(old, new).split("\n") if line.strip() != "-- Option:")
    copied.write(DECAY, text)
    done = copied.run("-m", "recall_duckdb.dbt", "--check", check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{tmp_path / DECAY}: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", [sqlglot.exp.Placeholder, sqlglot.exp.Parameter])
def test_a_parameter_left_in_the_text_is_found_in_every_dialect(kind: type[sqlglot.exp.Expr]) -> None:
    parameter = kind(this=sqlglot.exp.to_identifier("alpha") if kind is sqlglot.exp.Parameter else "alpha")
    text = sqlglot.exp.select(sqlglot.exp.Mul(this=parameter, expression=sqlglot.exp.column("x")))
    for name, dialect in DIALECTS.items():
        with pytest.raises(ValueError, match="decay: the parameter .* is left in the text"):
            check_no_parameter(text.sql(dialect.writer or name), "decay")
