"""Macros on a connection with the names of built-in functions change no metric."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log2
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import metric_file
from forms import assert_same, in_lists, only, with_any_number_of_rows
from pyarrow import parquet

from recall_duckdb import check, evaluate, install, sql
from recall_duckdb.definitions import reading, templates
from recall_duckdb.dialects import executable
from recall_duckdb.dialects.qualified import NAMES
from recall_duckdb.macros.writing import IN_FULL

Connection = duckdb.DuckDBPyConnection
OPERATORS = (
    *("+", "-", "*", "/", "//", "%", "&", "|", "<<", ">>", "~", "^", "**"),
    *("||", "~~", "!~~", "~~*", "!~~*", "~~~", "^@"),
)
# Macros with these names cause DuckDB errors in an index, a struct or, in DuckDB 1, its own views.
REFUSED = {"array_extract", "struct_pack", *(name for name in NAMES if name.startswith("duckdb_"))}
# DuckDB 1 itself calls these without a schema: to optimize a ranking, and to register a data frame.
REFUSED |= set() if duckdb.__version__ >= "2" else {"arg_min", "arg_max", "arrow_scan", "pandas_scan"}

RUN = "SELECT i // 25 AS query, i * 7 % 25 AS item, hash(i) % 64 / 64 AS score FROM range(1000) AS t (i)"
QRELS = "SELECT i // 5 AS query, i % 5 * 4 AS item, i % 3 AS relevance, i // 50 AS part FROM range(200) AS t (i)"
TEXT = "SELECT * REPLACE ('q' || query AS query, 'i' || item AS item) FROM"


def shadow(connection: Connection) -> None:
    """Create macros that return 42 with the names of all built-in functions; every second macro is temporary."""
    # When tables are first listed, DuckDB 1 binds its own views, which call functions without a schema.
    connection.execute("FROM duckdb_tables()").fetchall()
    for number, name in enumerate([*sorted(NAMES - REFUSED), *OPERATORS]):
        place = "TEMP MACRO" if number % 2 else "MACRO"
        counts = [", ".join(f"x{each}" for each in range(count)) for count in range(7)]
        connection.execute(f'CREATE {place} "{name}"{", ".join(f"({each}) AS 42" for each in counts)}')
        tables = ", ".join(f"({each}) AS TABLE (SELECT 42 AS x)" for each in counts[:3])
        connection.execute(f'CREATE {place} "{name}"{tables}')


def every_metric(*, cutoff: str = "@3") -> list[str]:
    """Return the metrics that need only run and qrels."""
    found = []
    for name, template in templates.own_metrics().items():
        if not reading.inputs_of(template) & {"training", "obvious", "catalog", "features", "pairs"}:
            has_cutoff = "k" in template.parameters and "Depth" in template.head
            found.append(name + ("@3" if "Cutoff" in template.head else cutoff if has_cutoff else ""))
    return found


def answer(connection: Connection, **arguments: Any) -> tuple[Any, ...]:
    with evaluate(connection=connection, **arguments) as result:
        return result.to_dicts(), result.per_query.fetchall(), result.counts


@pytest.fixture(scope="module")
def clean() -> Iterator[Connection]:
    with duckdb.connect() as connection:
        yield filled(connection)


@pytest.fixture(scope="module")
def shadowed() -> Iterator[Connection]:
    """The same tables on a connection with macros for the names of all functions."""
    with duckdb.connect() as connection:
        shadow(filled(connection))
        yield connection


def filled(connection: Connection) -> Connection:
    connection.execute(f"""
        CREATE TABLE run AS {RUN}; CREATE TABLE qrels AS {QRELS};
        CREATE TABLE run_text AS {TEXT} ({RUN}); CREATE TABLE qrels_text AS {TEXT} ({QRELS});
        CREATE TABLE lists AS SELECT query, list(item ORDER BY score DESC) AS item FROM run GROUP BY query;
        CREATE TABLE maps AS SELECT query, map(list(item), list(relevance)) AS item FROM qrels GROUP BY query;
        CREATE TABLE relevant AS SELECT query, list(item) AS item FROM qrels GROUP BY query;
        CREATE TABLE holes AS SELECT query, item, if(item % 5 = 1, 'nan'::DOUBLE, score) AS score FROM run;
        CREATE TABLE pairs AS SELECT DISTINCT r.item, s.item AS other, 0.5 AS similarity FROM run AS r, run AS s;
        CREATE TABLE features AS SELECT DISTINCT item, item % 3 AS feature FROM run;
        CREATE TABLE weights AS SELECT DISTINCT query, query + 0.5 AS weight FROM qrels;
        CREATE TABLE scored AS SELECT *, item % 7 AS other FROM run;
        CREATE TABLE few AS FROM run WHERE item % 4 = 0 OR item % 5 = 0;
        CREATE TABLE varied AS SELECT * REPLACE (hash(query, item) / 1e19 AS score) FROM run_text;
        CREATE TABLE ranked AS FROM run SELECT query, item, row_number() OVER (PARTITION BY query) AS rank;
    """)
    return connection


def test_a_macro_with_the_name_of_a_function_changes_no_metric() -> None:
    run = {"query": [1, 1], "item": ["a", "b"], "score": [2.0, 1.0]}
    qrels = {"query": [1], "item": ["b"], "relevance": [1]}
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO power(a, b) AS a * b; CREATE TEMP MACRO ln(a) AS a")
        connection.execute("CREATE SCHEMA mine; CREATE MACRO mine.sum(a) AS 42; SET search_path = 'mine'")
        assert evaluate(run, qrels, "ndcg@2", connection=connection).value("ndcg@2") == pytest.approx(1 / log2(3))


CASES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "text": {"run": "run_text", "qrels": "qrels_text"},
    "lists": {"run": "lists", "qrels": "relevant", "metrics": every_metric(cutoff="@3")},
    "maps": {"run": "lists", "qrels": "maps"},
    "ranks": {"run": "ranked", "rank": "rank"},
    "nan": {"run": "holes", "nulls": "drop"},
    "nan last": {"run": "holes", "nulls": "last"},
    "slices": {"by": "part"},
    "weights": {"weights": "weights"},
    "exclude": {"exclude": "few"},
    "items": {"items": "few"},
    "models": {"run": {"a": "run", "b": "few"}},
    "scores": {"run": "scored", "score": ["score", "other"]},
    "trec_eval_9": {"semantics": "trec_eval_9", "duplicates": "best"},
    "expected": {"ties": "expected", "metrics": ["recall@3", "ndcg@3", "ap@3", "rr@3", "precision"]},
    "optimistic": {"ties": "optimistic", "min_score": 0.2, "threshold": 2},
    "pessimistic": {"ties": "pessimistic", "no_relevant": "skip", "missing": "skip", "precision": "retrieved"},
    "whole lists": {"metrics": every_metric(cutoff="")},
    "gains": {"metrics": ["ndcg(gain=exponential)@3", "ndcg(gain=binary)", "recall(threshold=2)", "rr(mean=sum)"]},
    "optional inputs": {
        "metrics": ["novelty@3", "popularity@3", "coverage@3", "diversity@3", "pair_diversity@3", "gini"],
        "training": "few", "catalog": "few", "features": "features", "pairs": "pairs",
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.nightly  # test_every_call_in_the_definitions_is_qualified sees all files in CI
@pytest.mark.parametrize("case", CASES)
def test_every_metric_and_policy_gives_the_same_bits_if_macros_shadow_all_functions(
    clean: Connection, shadowed: Connection, case: str
) -> None:
    arguments = {"run": "run", "qrels": "qrels", "metrics": every_metric(), **CASES[case]}
    assert answer(shadowed, **arguments) == answer(clean, **arguments)


@pytest.mark.parametrize(
    ("run", "qrels", "metric", "key"),
    [
        ("run", "qrels", "recall@3", "numbers"),
        ("run", "qrels", "recall@3", "cutoff"),
        ("run", "qrels", "ndcg", "row"),
        ("ranked", "qrels", "ap@3", "cutoff"),
        ("varied", "qrels_text", "ndcg@20", "row"),
        ("run_text", "qrels_text", "rr@3", "cutoff"),
    ],
)
def test_every_key_gives_the_same_if_macros_shadow_all_functions(
    clean: Connection,
    shadowed: Connection,
    monkeypatch: pytest.MonkeyPatch,
    run: str,
    qrels: str,
    metric: str,
    key: str,
) -> None:
    with_any_number_of_rows(monkeypatch)
    only(monkeypatch, key)
    rank = "rank" if run == "ranked" else None
    found, wanted = (in_lists(run, qrels, metric, rank=rank, connection=each) for each in (shadowed, clean))
    assert found is not None
    assert wanted is not None
    assert_same(found, wanted)


@pytest.mark.slow
def test_files_frames_and_columns_are_read_the_same_if_macros_shadow_all_functions(
    clean: Connection, shadowed: Connection, tmp_path: Path
) -> None:
    for name in ("run", "qrels"):
        for ending in ("parquet", "csv", "json"):
            clean.execute(f"COPY {name} TO '{tmp_path / name}.{ending}'")
    (tmp_path / "trec.run").write_text("1 Q0 a 1 2.5 mine\n1 Q0 b 2 1.5 mine\n")
    (tmp_path / "trec.qrels").write_text("1 0 b 1\n")
    clean.execute(f"COPY few TO '{tmp_path}/run_2.parquet' (FORMAT parquet)")
    sources: list[tuple[Any, Any]] = [
        *((tmp_path / f"run.{ending}", tmp_path / f"qrels.{ending}") for ending in ("parquet", "csv", "json")),
        ([tmp_path / "run.parquet"], tmp_path / "qrels.csv"),
        ({"a": str(tmp_path / "run.parquet"), "b": str(tmp_path / "run_2.parquet")}, "qrels"),
        (tmp_path / "trec.run", tmp_path / "trec.qrels"),
        (parquet.read_table(tmp_path / "run.parquet"), parquet.read_table(tmp_path / "qrels.parquet")),
        ({"query": ["1"], "item": [["a", "b"]]}, {"query": ["1"], "item": [{"b": 2.0}]}),
    ]
    for run, qrels in sources:
        arguments = {"run": run, "qrels": qrels, "metrics": "ndcg@3"}
        assert answer(shadowed, **arguments) == answer(clean, **arguments), run


def test_a_result_can_be_read_and_written_if_macros_shadow_all_functions(
    clean: Connection, shadowed: Connection, tmp_path: Path
) -> None:
    for number, connection in enumerate((clean, shadowed)):
        evaluate("run", "qrels", "ndcg@3", connection=connection, create="kept").close()
        with evaluate("run", "qrels", "ndcg@3", connection=connection) as result:
            result.write_per_query(str(tmp_path / f"{number}.csv"), "csv")
    kept = [each.execute("FROM kept ORDER BY query").fetchall() for each in (clean, shadowed)]
    assert kept[0] == kept[1]
    assert (tmp_path / "0.csv").read_text() == (tmp_path / "1.csv").read_text()


def test_check_finds_the_same_if_macros_shadow_all_functions(clean: Connection, shadowed: Connection) -> None:
    found = [check("holes", "qrels", "ndcg@3", connection=each).to_dicts() for each in (clean, shadowed)]
    assert found[0] == found[1]
    assert found[0]


CALLS = (
    "FROM recall_duckdb.ranking_metrics('run', 'qrels', [1, 3], \"by\" := 'part', threshold := 2)",
    "FROM recall_duckdb.ranking_metrics_per_query('run_text', 'qrels_text', 3, gain := 'exponential')",
    "FROM recall_duckdb.rr_at_k('ranked', 'qrels', 3, rank := 'rank')",
    "FROM recall_duckdb.bpref('run', 'qrels', missing := 'skip')",
    "FROM recall_duckdb.ranking_check('holes', 'qrels')",
    "SELECT recall_duckdb.ndcg_at_k(['a', 'b', 'c'], ['b', 'c', 'x'], 2, grades := [1, 3, 2], gain := 'exponential')",
    "SELECT recall_duckdb.rbp_at_k(['a', 'b'], ['b'], 2)",
    "SELECT recall_duckdb.bpref(['a', 'b'], ['a', 'b'], grades := [0, 1])",
)


def test_a_macro_with_the_name_of_a_function_changes_no_table_macro_and_no_function_of_lists() -> None:
    assert {"power", "ln", "nullif", "list_sum", "list_position", "isnan", "count", "sum", "abs"} <= IN_FULL
    answers = []
    for shadowed in (False, True):
        with duckdb.connect() as connection:
            install(filled(connection))
            for name in IN_FULL if shadowed else ():
                counts = [", ".join(f"x{each}" for each in range(count)) for count in range(4)]
                connection.execute(f'CREATE MACRO "{name}"{", ".join(f"({each}) AS 42" for each in counts)}')
            answers.append([connection.execute(call).fetchall() for call in CALLS])
    assert answers[0] == answers[1]
    assert all(answers[0])


def test_a_view_or_relation_of_the_user_calls_the_users_macro() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE MACRO power(a, b) AS -a; CREATE TABLE held AS SELECT 1 AS query, i AS item FROM range(3) AS t (i)"
        )
        connection.execute("CREATE VIEW run AS SELECT *, power(item, 1) AS score FROM held")
        qrels = {"query": [1], "item": [0], "relevance": [1]}
        relation = connection.sql("SELECT *, power(item, 1) AS score FROM held")
        for run in ("run", relation):  # power(item, 1) is -item, so item 0 is first
            assert evaluate(run, qrels, "rr", connection=connection).value("rr") == 1


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("my_gain(gain)", 42),  # a macro whose name no function has
        ("power(gain, 2)", 9),  # a function
        ("main.power(gain, 2)", 42),  # a macro with the name of a function
        ("CASE WHEN gain > 0 THEN -gain + [1, 2][2] END", -1),
        ("map {'a': gain}['a']", 3),
        ("len([x + 1 FOR x IN range(3)])", 3),
        ("{'a': gain}.a", 3),
        ("CASE WHEN 'a_' || 'b' LIKE 'a$__' ESCAPE '$' THEN 3 END", 3),
    ],
)
def test_a_metric_file_calls_macros_and_functions_by_their_names(tmp_path: Path, call: str, value: float) -> None:
    metric_file(tmp_path, "mine", f"CAST(sum({call}) AS DOUBLE)")
    run, qrels = {"query": [1], "item": [1], "score": [1]}, {"query": [1], "item": [1], "relevance": [3]}
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO my_gain(a) AS 42; CREATE MACRO power(a, b) AS 42")
        found = evaluate(run, qrels, "mine", connection=connection, metric_folder=tmp_path)
        assert found.value("mine") == value


CONDITIONS = [
    "'a' || 'b' = 'ab'", "NOT 'ab' LIKE 'b%'", "('ab' NOT LIKE 'a%') = FALSE", "NOT 'ab' ILIKE 'B%'",
    "('ab' NOT ILIKE 'A%') = FALSE", "NOT 'ab' GLOB 'b*'", "NOT 'ab' ^@ 'b'", "(5 | 2) = 7", "(1 << 2) = 4",
    "(8 >> 2) = 2", "~1 = -2", "2 ^ 3 = 8 AND 2 ** 3 = 8", "list_transform([2.5], LAMBDA x: floor(x))[1] = 2",
]  # fmt: skip


def test_operators_in_a_metric_file_are_duckdbs_if_macros_shadow_them(
    clean: Connection, shadowed: Connection, tmp_path: Path
) -> None:
    """The value of the metric has a bit for each condition that is true."""
    bits = (f"CASE WHEN {condition} THEN {2**place} ELSE 0 END" for place, condition in enumerate(CONDITIONS))
    metric_file(tmp_path, "mine", f"CAST(max({' + '.join(bits)}) AS DOUBLE)")
    asked: dict[str, Any] = {"run": "run", "qrels": "qrels", "metrics": "mine", "metric_folder": tmp_path}
    assert answer(shadowed, **asked) == answer(clean, **asked)
    assert evaluate(connection=clean, **asked).value("mine") == 2 ** len(CONDITIONS) - 1


def test_every_call_in_the_definitions_is_qualified() -> None:
    relations = [form for forms in templates.relations().values() for form in forms.values()]
    for template in (*relations, *templates.checks().values(), *templates.own_metrics().values()):
        text = executable(template.tree())
        bare = re.findall(r"(?<![.\w])(\w+)\(", re.sub(r"'[^']*'", "''", text))
        assert set(bare) <= {"CAST", "TRY_CAST", "COALESCE", "DECIMAL", "FILTER"}, template.path


def test_every_qualified_name_is_a_function_of_this_duckdb() -> None:
    with duckdb.connect() as connection:
        found = connection.execute(
            "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE schema_name = 'main'"
        ).fetchall()
        missing = NAMES - {name for (name,) in found}
        for name in missing:  # window functions, which DuckDB 1 does not list
            arguments = {"ntile": "2", "nth_value": "x, 1"}.get(name, "x" if name in ARGUED else "")
            connection.execute(f"SELECT system.main.{name}({arguments}) OVER (ORDER BY x) FROM range(2) AS t (x)")


ARGUED = ("lag", "lead", "first_value", "last_value", "fill")


def test_the_text_of_a_statement_stays_readable() -> None:
    run = {"query": [1], "item": [1], "score": [1], "relevance": [1]}
    for text in (sql("run", "qrels", "ndcg@2"), evaluate(run, metrics="ndcg@2").sql):
        assert "LN(" in text
        assert "system.main" not in text
