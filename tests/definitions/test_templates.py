"""Each file in sql/ is documented, reads only its own and earlier stages, and runs on its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from asking import fails

from recall_duckdb import checking
from recall_duckdb.answering import planning
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.functions import Functions
from recall_duckdb.definitions.templates import AGREEMENT, CHECKS, METRICS, PLANS, STAGES, Template
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question import OPTIONAL_INPUTS, CheckQuestion

METRIC_FILES = templates.metric_files(templates.sql_folder() / METRICS)
RELATIONS = [template for variants in templates.relations().values() for template in variants.values()]
EVERY_FILE = [*RELATIONS, *METRIC_FILES.values(), *templates.checks().values()]
# Parameters from policies and the user's relations; options of metrics have the defaults in their heads.
PARAMETERS: dict[str, object] = {
    "k": 2, "depth": 2, "list_depth": 2, "largest_k": 2, "metric_no": 1, "metric_name": "r", "cutoff": 2,
    "sliced": True, "qrels": "rows", "may_be_empty": True, "qrels_depth": 2,
    "threshold": 1.0, "threshold_as_float": None, "min_score_as_float": None,
    "min_score": 0.5, "nulls": "error", "no_relevant": "zero", "missing": "zero", "undefined": "zero", "precision": "k",
    "semantics": "trec_eval_10", "exclude": True, "items": True, "weighted": True, "max_grade": 4, "ideal_depth": 2,
    "judged_only": False, "unjudged": "keep", "ranks": "given", "empty": "allow",
    "ties": "item_desc", "item_low": 97, "item_high": 122, "item_codes": 32, "score_scale": 1024.0,
    "top": 2, "by_number": True, "are_ranks": False, "has_signs": True, "models": ["m", "n"], "scores": [0.9, 0.8],
    "largest_relevance": 1e12, "item_sliced": False, "baseline": "m", "model": "n", "p": 0.9,
    "only_relevant": False, "mean": "arithmetic", "exact": 2**53, "is_whole": True, "in_list": False,
    "no_item": None, "no_qrels_item": None, "text_items": True, "first_item": 0, "beyond_items": None,
    "separator": " +", "looked_at": None, "unit": "a",
    "is_distance": False, "is_partition": False,
    "largest_object": 2**24, "inside": "", "queries": "requests", "query_name": "id", "item_name": "_id",
    "gains": {"key": [1.0, 2.0], "value": [0.5, 5.0]},  # how DuckDB takes a map
}  # fmt: skip
# Inputs of the user and the composer as tables with canonical names: small data without faults.
GIVEN = {
    "source": "SELECT 'q1' AS name, 1.5 AS number, 'x' AS extra, 'q1' AS query, 'a' AS item, 0.9 AS score,"
    " 1 AS list_key",
    "run_source": """
        SELECT 'm' AS model, 'q1' AS query, item, score, rank, ['a', 'b'] AS items, 'x' AS slice
        FROM (VALUES ('a', 0.9, 1), ('b', 0.8, 2), ('c', 0.7, 3), ('d', 0.7, 4)) AS rows (item, score, rank)
    """,
    "given_run": "SELECT 'm' AS model",
    "exact_scores": "SELECT 'm' AS model, 'q1' AS query, 2.0 AS score, 2 AS exact_score",
    "qrels_source": """
        SELECT 'q1' AS query, item, relevance, 'x' AS slice, ['b', 'z'] AS items
        FROM (VALUES ('a', -1.0), ('b', 1.0), ('z', 2.0), ('d', 0.0)) AS rows (item, relevance)
    """,
    "labelled": "SELECT 'q1' AS query, 'a' AS item, 0.9 AS score, 1.0 AS relevance",
    "exclude": "SELECT 'q1' AS query, 'c' AS item",
    "items": "SELECT unnest(['a', 'b', 'c', 'd', 'z']) AS item",
    "weights": "SELECT 'q1' AS query, 2.0 AS weight",
    "training": "SELECT 'q0' AS query, unnest(['a', 'b']) AS item",
    "obvious": "SELECT 'q1' AS query, 'a' AS item",
    "catalog": "SELECT unnest(['a', 'b', 'c', 'd', 'z']) AS item",
    "features": "SELECT unnest(['a', 'b']) AS item, unnest(['f', 'g']) AS feature, 1.0 AS weight",
    "pairs": "SELECT 'a' AS item, 'b' AS other, 0.5 AS similarity",
    "item_map": "SELECT 'a' AS item, 'b' AS unit",
    "item_slices": "SELECT unnest(['a', 'b', 'c', 'd', 'z']) AS item, unnest(['x', 'y', 'x', 'x', 'y']) AS slice",
    "query_slices": "SELECT unnest(['q1', 'q2']) AS query, unnest(['x', 'y']) AS slice",
    "lines": "SELECT 'q1 Q0 a 1 0.9 m' AS line, 1 AS is_sound, 'Q0' AS iteration, 1.0 AS relevance, 'm' AS model,"
    " 'q1' AS query, 1 AS rank, 0.9 AS score",
    "ids": "SELECT '7' AS id, 7 AS number",
    "other_ids": "SELECT '07' AS id",
    "shown_ids": "SELECT '7' AS id, 0 AS place",
    "texts_source": "SELECT '7' AS id, 'Apples' AS text",
    "named_models": "SELECT 'm' AS model",
    "metrics": "SELECT 1 AS metric_no, 'recall' AS metric, 2 AS k",
}
# The variant of each relation to create as a table; relations with only one variant are not listed.
VARIANTS = {
    "run": "scores", "qrels": "rows", "ranked": "item_desc", "retrieved": "", "judged": "ordered",
    "slices": "qrels", "models": "retrieved",
    "run_rows": "scores", "run_units": "mapped", "qrels_rows": "rows", "qrels_units": "mapped",
}  # fmt: skip
# Schemas with other variants, searched before main. RUN_IN has the files that run in these schemas.
OTHER_VARIANTS = {
    "expected": {"ranked": "expected", "judged": "expected"},
    "ranks": {"run": "ranks", "ranked": "strict"},
    "one_pass": {"judged": "one_pass", "measured": "one_pass", "per_query": "one_pass"},
}
# Schemas with the list form, for whole-number items.
FORMS = {
    name: {"retrieved": name, "measured": "lists", "per_query": "lists"} for name in ("lists", "numbers")
}  # fmt: skip
# The relations that compare the lists of two models.
AGREEING = [
    name for name, variants in templates.relations().items() if variants.get("", RELATIONS[0]).stage == AGREEMENT
]
RUN_IN = {
    "checks/forgotten_columns.sql": "unused", "checks/list_duplicates.sql": "parallel",
    "checks/list_lengths.sql": "parallel", "checks/unread_grades.sql": "parallel",
    "checks/unread_scores.sql": "parallel", "checks/padding.sql": "numbers", "checks/qrels_padding.sql": "numbers",
    "one_pass/measured/one_pass.sql": "one_pass", "one_pass/per_query/one_pass.sql": "one_pass",
    "one_pass/soundness.sql": "one_pass",
    **dict.fromkeys(["lists/joined_lists.sql", "lists/answers.sql", "lists/query_values.sql"], "lists"),
    **dict.fromkeys(["lists/measured/lists.sql", "lists/per_query/lists.sql"], "lists"),
    **dict.fromkeys(["lists/retrieved/numbers.sql", "lists/top_candidates.sql"], "numbers"),
    "3_judging/tied_groups.sql": "expected", "3_judging/judged/expected.sql": "expected",
    "2_ranking/ranked/strict.sql": "ranks", "1_inputs/qrels/maps.sql": "maps", "checks/lists.sql": "ranks",
    "checks/ranks.sql": "ranks", "checks/ranks_given.sql": "ranks", "checks/ranks_gap.sql": "ranks",
    "checks/run_ranks.sql": "ranks", **{f"{AGREEMENT}/{name}.sql": "agreement" for name in AGREEING},
}  # fmt: skip


def label(template: Template) -> str:
    return str(Path(template.path).relative_to(templates.sql_folder()))


def test_every_file_is_documented() -> None:
    assert [label(each) for each in EVERY_FILE if not each.definition.endswith(".") or not each.head.get("Grain")] == []
    with_parameters = [*RELATIONS, *METRIC_FILES.values()]
    assert [label(each) for each in with_parameters if "Params" not in each.head] == []
    explained = {label(each): each.head.get("Params", "") for each in EVERY_FILE}
    named = [(label(each), f"${name}") for each in EVERY_FILE for name in each.parameters]
    assert [(file, name) for file, name in named if name not in explained[file]] == []


def test_every_metric_names_its_source_and_its_edge_cases() -> None:
    files = METRIC_FILES.values()
    assert [label(each) for each in files if not each.head.get("Source") or not each.head.get("Edges")] == []


def test_every_check_has_a_rule_and_a_fix() -> None:
    heads = {label(each): each.head for each in templates.checks().values()}
    assert [file for file, head in heads.items() if not head.get("Rule") or head.get("Do", "")[-1:] != "."] == []


# What the field `When` can name.
FACTS = checking.settings(
    planning.plan_question(CheckQuestion({"q": ["a"]}, {"q": ["a"]}, ["recall"]), DuckDB()), command="check"
)


def test_checks_name_only_known_facts_and_plans() -> None:
    known = {*FACTS, *OPTIONAL_INPUTS, "explains", "source"}
    checks = templates.checks().values()
    assert [(label(each), each.when.keys() - known) for each in checks if each.when.keys() - known] == []
    assert [label(each) for each in checks if not each.seen_by <= {*templates.SEEN_BY}] == []
    assert [label(each) for each in checks if each.order[0] not in (1, 2, 3)] == []


def test_every_plan_that_checks_name_sees_a_fault() -> None:
    assert {plan for check in templates.checks().values() for plan in check.seen_by} == {*templates.SEEN_BY}
    modules = "".join(path.read_text() for path in (Path(checking.__file__).parent / "answering").glob("*.py"))
    assert [plan for plan in templates.SEEN_BY if f'"{plan}"' not in modules] == []


def test_every_file_reads_only_its_own_or_an_earlier_stage() -> None:
    stages = [*STAGES, AGREEMENT, *PLANS]  # a plan may read any definition, but no definition reads a plan
    stage_of = {name: next(iter(variants.values())).stage for name, variants in templates.relations().items()}
    later = [
        f"{label(each)} reads {name}, which is in a later stage"
        for each in [*RELATIONS, *METRIC_FILES.values()]
        for name in each.reads
        if stages.index(stage_of.get(name, STAGES[0])) > stages.index(each.stage)
    ]
    assert later == []


def test_only_plans_have_the_field_plan() -> None:
    assert [label(each) for each in RELATIONS if ("Plan" in each.head) != (each.stage in PLANS)] == []


def test_the_relations_that_a_file_reads_follow_from_or_join_in_its_text() -> None:
    known = {*templates.relations(), *templates.INPUTS}
    assert [label(each) for each in EVERY_FILE if each.named & known != known.intersection(each.reads)] == []


def test_the_shared_functions_are_those_that_duckdb_makes_of_their_file() -> None:
    with duckdb.connect() as connection:
        connection.execute((templates.sql_folder() / "functions.sql").read_text("utf-8"))
        made = connection.execute(
            "SELECT function_name, parameters FROM duckdb_functions() WHERE NOT internal AND function_type = 'macro'"
        ).fetchall()
    found = templates.shared_functions()
    assert sorted((name, [*found[name].parameters]) for name in found) == sorted(made)


TEXTS = [
    *('["a"]', "['a' 'b']", "[1, 2]", "{a,b}", "('a', 'b')", "[REC]", "(500) Days of Summer", "[a]", "(1,2)", "(1)"),
    *("{}", "[]", "()", '["a", "b"]', "{'a': 1}", "[a, b]", "[a,[b]]", "{a,{b}}", "(a, b)", "[,a]", "[,,a]", "[a b]"),
    *('["x"', "[1 2]", '[\n"a"]', "[ ]", "[.]", "['a']x", '{"a"}', "[x],", '[""]', "a,b", ""),
]


def test_both_functions_take_the_same_texts_for_lists() -> None:
    """The macros of DuckDB use a regular expression, which is faster to plan."""
    with duckdb.connect() as connection:
        connection.execute((templates.sql_folder() / "functions.sql").read_text("utf-8"))
        found = "SELECT id, is_list_text(id), first_list_text([id]) IS NOT NULL FROM (SELECT unnest($1) AS id)"
        rows = connection.execute(found, [TEXTS]).fetchall()
    assert [text for text, own, by_expression in rows if own != by_expression] == []


def test_a_file_of_functions_holds_nothing_else() -> None:
    with pytest.raises(ValueError, match="not CREATE FUNCTION .* AS expression: SELECT 1;"):
        Functions("-- Half of x.\nCREATE FUNCTION half(x) AS x / 2;\n\nSELECT 1;")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """Every relation as a table with its canonical name, created by running its file unchanged."""
    folder = tmp_path_factory.mktemp("trec")
    (folder / "trec_run").write_text("q1 Q0 a 1 0.9 m\n")
    (folder / "trec_qrels").write_text("q1 0 a 1\n")
    (folder / "item_lists").write_text("q1 a b\n")
    (folder / "text_lines").write_text("q1 0 a 1\n")
    for name in ("json_content", "json_scores", "json_maps"):
        (folder / name).write_text('{"q1": {"a": 1}}')
    (folder / "json_lists").write_text('{"q1": ["a"]}')
    (folder / "json_ratings").write_text('{"requests": [{"id": "q1", "ratings": [{"_id": "a", "rating": 1}]}]}')
    with duckdb.connect() as connection:
        connection.execute((templates.sql_folder() / "functions.sql").read_text("utf-8"))
        for name, statement in GIVEN.items():
            connection.execute(f"CREATE TABLE {name} AS {statement}")
        connection.execute("COPY run_source TO $path (FORMAT parquet)", {"path": str(folder / "parquet_files")})
        made = Pipeline(connection, folder)
        made.make(VARIANTS)
        for schema, variants in OTHER_VARIANTS.items():
            connection.execute(f"CREATE SCHEMA {schema}")
            connection.execute(f"SET search_path = '{schema},main'")
            if schema == "ranks":  # with given ranks, no candidate is left out
                made.make(variants, only=("run",))
                connection.execute("CREATE TABLE candidates AS FROM run")
            added = variants.keys() - {"run"}
            made.make(variants, only=("ranked", "retrieved", "models", "tied_groups", "judged", *added))
        for schema, variants in FORMS.items():
            connection.execute(f"CREATE SCHEMA {schema}")
            connection.execute(f"SET search_path = '{schema},main'")
            connection.execute("""
                CREATE TABLE candidates AS
                SELECT model, query, ascii(item) AS item, least(score, 0.8) AS score, rank FROM run_source
            """)
            connection.execute(
                "CREATE TABLE judgements AS SELECT query, ascii(item) AS item, relevance FROM qrels_source"
            )
            connection.execute("CREATE TABLE qrels AS FROM judgements")
            made.make(variants, only=("qrels_lists", "joined_lists", "score_cutoffs", *variants))
        connection.execute("CREATE SCHEMA agreement")
        connection.execute("SET search_path = 'agreement,main'")
        connection.execute("""
            CREATE TABLE ranked AS FROM main.ranked UNION ALL SELECT * REPLACE ('n' AS model) FROM main.ranked
        """)
        connection.execute("CREATE TABLE named_models AS SELECT DISTINCT model FROM ranked")
        made.make({}, only=AGREEING)
        connection.execute("CREATE SCHEMA parallel")
        connection.execute("CREATE TABLE parallel.ids AS SELECT ['a', 'b'] AS id, [2.0, 1.0] AS number")
        connection.execute("CREATE SCHEMA unused")  # a column that no argument names
        for name in ("run", "run_lists", "qrels_lists"):
            connection.execute(f"CREATE TABLE unused.{name} AS SELECT model, query, item, 'x' AS value FROM run_source")
        connection.execute("CREATE SCHEMA maps")
        connection.execute("""
            CREATE TABLE maps.qrels_source AS SELECT * REPLACE (map(['b'], [2.0]) AS items) FROM main.qrels_source
        """)
        yield made


@dataclass
class Pipeline:
    """The relations of the pipeline as tables on a connection."""

    connection: duckdb.DuckDBPyConnection
    folder: Path

    def make(self, variants: Mapping[str, str], only: Collection[str] = ()) -> None:
        """Create a table for each relation in the current schema, in the order of their reads."""
        relations = templates.relations()
        chosen = {name: known[variants.get(name, VARIANTS.get(name, min(known)))] for name, known in relations.items()}
        defined = [name for name, template in chosen.items() if template.stage not in PLANS]
        left = {name: chosen[name] for name in only or defined if name not in GIVEN and name in chosen}
        if "expected" not in variants.values():
            left.pop("tied_groups", None)  # only for tied places
        while left:
            ready = [name for name, template in left.items() if left.keys().isdisjoint({*template.reads} - {name})]
            assert ready, f"{', '.join(left)} read each other"
            for name in ready:
                template = left.pop(name)
                self.connection.execute(f"CREATE TABLE {name} AS {text_of(template)}", self.values(template))

    def values(self, template: Template, **chosen: object) -> dict[str, object]:
        """Return the parameters of a file: the chosen values, else PARAMETERS, else the defaults in its head."""
        defaults = {name: option.default for name, option in template.options.items()}
        known = {**defaults, **PARAMETERS, "path": str(self.folder / template.name), **chosen}
        values = {name: known[name] for name in template.parameters}
        return {name: PARAMETERS[str(value)[1:]] if str(value)[:1] == "$" else value for name, value in values.items()}

    def rows(self, template: Template, **chosen: object) -> list[tuple[object, ...]]:
        """Run a file unchanged and return its rows."""
        self.connection.execute(f"SET search_path = '{RUN_IN.get(label(template), 'main')},main'")
        return self.connection.execute(text_of(template), self.values(template, **chosen)).fetchall()

    def faults(
        self, template: Template, *, is_empty: bool = False, chosen: Mapping[str, str] | None = None
    ) -> list[str]:
        """Run a file unchanged, and return its error, or that it has rows or none."""
        try:
            rows = self.rows(template, **(chosen or {}))
        except duckdb.Error as error:
            return [f"{label(template)} {chosen or ''}: {error}"]
        return [f"{label(template)} {chosen or ''}: {len(rows)} rows"] * (bool(rows) == is_empty)


def text_of(template: Template) -> str:
    return Path(template.path).read_text(encoding="utf-8")


def test_every_file_runs_on_its_own_in_duckdb(pipeline: Pipeline) -> None:
    wrong = []
    for template in EVERY_FILE:
        # These data have one fault: a is pooled but not judged.
        is_empty = template.stage == CHECKS and template.name not in ("negative_relevance", "unjudged_items")
        wrong += pipeline.faults(template, is_empty=is_empty)
    assert wrong == []


def test_every_file_runs_with_every_choice_of_its_options(pipeline: Pipeline) -> None:
    chosen = [
        (template, {option.name: choice})
        for template in [*RELATIONS, *METRIC_FILES.values()]
        for option in template.options.values()
        for choice in option.choices
    ]
    assert len(chosen) > 30
    assert [fault for template, choice in chosen for fault in pipeline.faults(template, chosen=choice)] == []


METRIC = """\
-- {definition}
--
-- Grain:  one row per (model, query).
SELECT
  model AS model,
  query AS query,
  CAST(max(CASE WHEN rank = 1 THEN is_relevant ELSE 0 END) AS DOUBLE) AS {name}
FROM {relation}
GROUP BY model, query
"""


@pytest.mark.parametrize("name", ["retrieved", "is_slice"])
def test_a_metric_cannot_have_a_name_of_the_pipeline(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.sql").write_text(METRIC.format(definition="Top.", name=name, relation="judged"))
    fails(MetricFileError, f"'{name}' is a name of the pipeline already", templates.metric_files, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT 1 AS top_one", "first line that says what it is"),
        ("-- Top one.\nSELECT 1 AS top_one", "needs a line `-- Grain: …`"),
        ("-- Top one.\n-- Grain: one.\nSELEC model", "cannot be read as one SELECT statement"),
        ("-- Top one.\n-- Grain: one.\nDROP TABLE judged", "cannot be read as one SELECT statement"),
        (
            METRIC.format(definition="Top.", name="top_one", relation="judged").replace("0 END)", "0 END"),
            'cannot be read as one SELECT statement: Parser Error: syntax error at or near "AS"',
        ),
        (
            METRIC.format(definition="Top.", name="top_one", relation="judged") + "; SELECT 1",
            "cannot be read as one SELECT statement: it holds 2",
        ),
        (
            METRIC.format(definition="Top.", name="other", relation="judged"),
            "model, query, top_one .* not model, query, other",
        ),
        (METRIC.format(definition="Top.", name="top_one", relation="bm25"), "reads bm25, which is not a relation"),
    ],
)
def test_an_invalid_metric_file_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "top_one.sql").write_text(text)
    with pytest.raises(MetricFileError, match=message) as caught:
        templates.metric_files(tmp_path)
    assert "top_one.sql" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-- Emtpy:  skip", "there is no field 'Emtpy'. Did you mean 'Empty'\\? Fields: 'Grain'"),
        ("-- Mean:   harmonic", "Mean: 'harmonic' is not one of arithmetic, geometric, sum"),
        ("-- Empty:  Skip", "Empty: 'Skip' is not one of skip"),
        ("-- Better: higher", "Better: 'higher' is not one of lower"),
        ("-- Decides: yes", "Decides: 'yes' is not one of no"),
        ("-- Option: $k = 3 in [1, 10]", r"\$k is a parameter of every evaluation"),
        ("-- Option: $p = 2 in (0, 1)", r"the default of \$p is not among its values"),
        ("-- Option: $p = abc in (0, 1)", "an option has a value that is not a number: .*'abc'"),
        ("-- Option: $p = 0.5", "an option is written"),
    ],
)
def test_a_head_with_an_unknown_field_or_value_is_refused(tmp_path: Path, line: str, message: str) -> None:
    text = METRIC.format(definition="Top.", name="top_one", relation="judged")
    (tmp_path / "top_one.sql").write_text(text.replace("SELECT", f"{line}\nSELECT", 1))
    with pytest.raises(MetricFileError, match=message) as caught:
        templates.metric_files(tmp_path)
    assert "top_one.sql" in str(caught.value)


def test_the_range_of_an_option_keeps_its_digits() -> None:
    option = templates.Option("x", 0.12345678, low=1234567.0, high=1e9)
    assert str(option) == "x is a number above 1234567 and below 1e+09 (default: 0.12345678)"
