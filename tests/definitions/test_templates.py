"""Each file in sql/ is documented, and reads only its own and earlier stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import fails, metric_file

from recall_duckdb import checking
from recall_duckdb.answering import planning
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.functions import Functions
from recall_duckdb.definitions.templates import AGREEMENT, METRICS, PLANS, STAGES, Template
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question import OPTIONAL_INPUTS, CheckQuestion

METRIC_FILES = templates.metric_files(templates.sql_folder() / METRICS)
RELATIONS = [template for variants in templates.relations().values() for template in variants.values()]
EVERY_FILE = [*RELATIONS, *METRIC_FILES.values(), *templates.checks().values()]


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
    assert [label(each) for each in checks if not each.seen_by <= {*templates.PLANS}] == []
    assert [label(each) for each in checks if each.order[0] not in (1, 2, 3)] == []


def test_every_plan_that_checks_name_sees_a_fault() -> None:
    assert {plan for check in templates.checks().values() for plan in check.seen_by} == {*templates.PLANS}
    modules = "".join(path.read_text() for path in (Path(checking.__file__).parent / "answering").glob("*.py"))
    assert [plan for plan in templates.PLANS if f'"{plan}"' not in modules] == []


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


def test_duckdb_reads_every_file_as_one_statement_with_the_parameters_in_its_head() -> None:
    texts = {label(each): Path(each.path).read_text("utf-8") for each in EVERY_FILE}
    statements = {file: duckdb.extract_statements(text) for file, text in texts.items()}
    assert [file for file, found in statements.items() if len(found) != 1] == []
    found = {file: held[0].named_parameters for file, held in statements.items()}
    assert found == {label(each): {*each.parameters} for each in EVERY_FILE}


TOP_ONE = "CAST(max(CASE WHEN rank = 1 THEN is_relevant ELSE 0 END) AS DOUBLE)"


@pytest.mark.parametrize("name", ["retrieved", "is_slice"])
def test_a_metric_cannot_have_a_name_of_the_pipeline(name: str, tmp_path: Path) -> None:
    metric_file(tmp_path, name, TOP_ONE)
    fails(MetricFileError, f"'{name}' is a name of the pipeline already", templates.metric_files, tmp_path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("SELECT 1 AS top_one", "first line that says what it is"),
        ("-- Top one.\nSELECT 1 AS top_one", "needs a line `-- Grain: …`"),
        ("-- Top one.\n-- Grain: one.\nSELEC model", "cannot be read as one SELECT statement"),
        ("-- Top one.\n-- Grain: one.\nDROP TABLE judged", "cannot be read as one SELECT statement"),
        ({"value": "max(CASE WHEN rank = 1 THEN 1)"}, "as one SELECT statement: Parser Error: syntax error at or near"),
        ({"rest": "FROM judged GROUP BY ALL; SELECT 1"}, "cannot be read as one SELECT statement: it holds 2"),
        ({"value": "max(rank) AS other, max(rank)"}, "model, query, top_one .* not model, query, other"),
        ({"rest": "FROM bm25"}, "reads bm25, which is not a relation"),
        ({"head": "-- Emtpy:  skip\n"}, "there is no field 'Emtpy'. Did you mean 'Empty'\\? Fields: 'Grain'"),
        ({"head": "-- Mean:   harmonic\n"}, "Mean: 'harmonic' is not one of arithmetic, geometric, sum"),
        ({"head": "-- Empty:  Skip\n"}, "Empty: 'Skip' is not one of skip"),
        ({"head": "-- Better: higher\n"}, "Better: 'higher' is not one of lower"),
        ({"head": "-- Decides: yes\n"}, "Decides: 'yes' is not one of no"),
        ({"head": "-- Option: $k = 3 in [1, 10]\n"}, r"\$k is a parameter of every evaluation"),
        ({"head": "-- Option: $p = 2 in (0, 1)\n"}, r"the default of \$p is not among its values"),
        ({"head": "-- Option: $p = abc in (0, 1)\n"}, "an option has a value that is not a number: .*'abc'"),
        ({"head": "-- Option: $p = 0.5\n"}, "an option is written"),
    ],
)
def test_an_invalid_metric_file_is_refused_by_name(tmp_path: Path, given: Any, message: str) -> None:
    """Given the text of a file, or what is wrong in one."""
    if isinstance(given, str):
        (tmp_path / "top_one.sql").write_text(given)
    else:
        metric_file(tmp_path, "top_one", **{"value": TOP_ONE, **given})
    fails(MetricFileError, f"top_one.sql.*{message}", templates.metric_files, tmp_path)


def test_the_range_of_an_option_keeps_its_digits() -> None:
    option = templates.Option("x", 0.12345678, low=1234567.0, high=1e9)
    assert str(option) == "x is a number above 1234567 and below 1e+09 (default: 0.12345678)"
