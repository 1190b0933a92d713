"""The files in sql/ are the product: each says what it is, reads only what comes before it, and runs on its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from recall_duckdb import templates
from recall_duckdb.errors import MetricFileError
from recall_duckdb.templates import CHECKS, METRICS, STAGES, Template

METRIC_FILES = templates.metric_files(templates.sql_folder() / METRICS)
RELATIONS = [template for variants in templates.relations().values() for template in variants.values()]
EVERY_FILE = [*RELATIONS, *METRIC_FILES.values(), *templates.checks().values()]
PARAMETERS = {
    "k": 2, "depth": 2, "largest_k": 2, "metric_no": 1, "sliced": True, "qrels": "rows", "threshold": 1.0,
    "min_score": 0.5,
    "nulls": "error", "no_relevant": "zero", "missing": "zero", "precision": "k",
}  # fmt: skip


def label(template: Template) -> str:
    return str(Path(template.path).relative_to(templates.sql_folder()))


@pytest.mark.parametrize("template", EVERY_FILE, ids=label)
def test_a_file_says_what_it_is(template: Template) -> None:
    assert template.definition.endswith(".")
    assert template.head["Grain"]
    if template.stage != CHECKS:
        assert "Params" in template.head
    for name in template.parameters:
        assert f"${name}" in template.head["Params"], f"${name} is not explained"


@pytest.mark.parametrize("template", METRIC_FILES.values(), ids=label)
def test_a_metric_names_its_source_and_its_edge_cases(template: Template) -> None:
    assert template.head["Source"]
    assert template.head["Edges"]


@pytest.mark.parametrize("template", templates.checks().values(), ids=label)
def test_a_check_says_the_rule_and_what_to_do(template: Template) -> None:
    assert template.head["Rule"]
    assert template.head["Do"].endswith(".")


@pytest.mark.parametrize("template", [*RELATIONS, *METRIC_FILES.values()], ids=label)
def test_a_file_reads_only_its_own_or_an_earlier_stage(template: Template) -> None:
    stage_of = {name: next(iter(variants.values())).stage for name, variants in templates.relations().items()}
    own = STAGES.index(template.stage)
    for name in template.reads:
        assert STAGES.index(stage_of.get(name, STAGES[0])) <= own, f"{template.name} reads {name}, which comes later"


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """Every relation as a table under its canonical name, each made by running its file as it is."""
    connection = duckdb.connect()
    connection.execute("""
        CREATE TABLE source AS SELECT 'q1' AS name, 1.5 AS number, 'x' AS extra;
        CREATE TABLE run_source AS
            SELECT 'm' AS model, 'q1' AS query, item, score, rank, ['a', 'b'] AS items, 'x' AS slice
            FROM (VALUES ('a', 0.9, 1), ('b', 0.8, 2), ('c', 0.7, 3)) AS rows (item, score, rank);
        CREATE TABLE qrels_source AS
            SELECT 'q1' AS query, item, relevance, 'x' AS slice, ['b', 'z'] AS items
            FROM (VALUES ('b', 1.0), ('z', 2.0)) AS rows (item, relevance);
        CREATE TABLE ids AS SELECT '7' AS id, 7 AS whole;
        CREATE TABLE metrics AS SELECT 1 AS metric_no, 'recall' AS metric, 2 AS k;
    """)
    folder = tmp_path_factory.mktemp("trec")
    (folder / "run").write_text("q1 Q0 a 1 0.9 m\n")
    (folder / "qrels").write_text("q1 0 a 1\n")
    connection.execute("COPY run_source TO $path", {"path": str(folder / "run.parquet")})
    first = {"run": "scores", "qrels": "rows", "ranked": "item_desc", "slices": "qrels"}
    for name in ("run", "qrels", "ranked", "retrieved", "models", "slices", "ideal", "judged", "measured", "per_query",
                 "averages", "means"):  # fmt: skip
        template = templates.relations()[name][first.get(name, "")]
        connection.execute(f"CREATE TABLE {name} AS {Path(template.path).read_text()}", needed(template, folder))
    connection.execute(f"CREATE TABLE lines AS {Path(templates.relations()['trec_run'][''].path).read_text()}",
                       {"path": str(folder / "run")})  # fmt: skip
    connection.execute("CREATE TABLE folder AS SELECT ? AS path", [str(folder)])
    yield connection
    connection.close()


def needed(template: Template, folder: Path) -> dict[str, object]:
    file = {"trec_qrels": "qrels", "parquet_files": "run.parquet"}.get(template.name, "run")
    values = {**PARAMETERS, "path": str(folder / file)}
    return {name: values[name] for name in template.parameters}


@pytest.mark.parametrize("template", EVERY_FILE, ids=label)
def test_a_file_runs_on_its_own_in_duckdb(template: Template, pipeline: duckdb.DuckDBPyConnection) -> None:
    [(folder,)] = pipeline.execute("SELECT path FROM folder").fetchall()
    statement = Path(template.path).read_text()
    if template.name == "qrels" and template.variant == "maps":
        statement = statement.replace(
            "qrels_source", "(SELECT * REPLACE (map(['b'], [2.0]) AS items) FROM qrels_source)"
        )
    if template.variant == "given":
        statement = statement.replace("FROM run", "FROM run_source")
    if template.name in ("run_ranks", "ranks"):
        statement = statement.replace("FROM run\n", "FROM run_source\n")
    rows = pipeline.execute(statement, needed(template, Path(folder))).fetchall()
    if template.stage == CHECKS:
        assert rows == []  # this data has no fault
    else:
        assert rows


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


def test_a_metric_cannot_have_a_name_of_the_pipeline(tmp_path: Path) -> None:
    (tmp_path / "retrieved.sql").write_text(METRIC.format(definition="Top.", name="retrieved", relation="judged"))
    with pytest.raises(MetricFileError, match="'retrieved' is a name of the pipeline already"):
        templates.metric_files(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT 1 AS top_one", "first line that says what it is"),
        ("-- Top one.\nSELECT 1 AS top_one", "needs a line `-- Grain: …`"),
        ("-- Top one.\n-- Grain: one.\nSELEC model", "cannot be read as one SELECT statement"),
        ("-- Top one.\n-- Grain: one.\nDROP TABLE judged", "cannot be read as one SELECT statement"),
        (
            METRIC.format(definition="Top.", name="other", relation="judged"),
            "model, query, top_one .* not model, query, other",
        ),
        (METRIC.format(definition="Top.", name="top_one", relation="bm25"), "reads bm25, which is no relation"),
    ],
)
def test_a_metric_file_that_is_none_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "top_one.sql").write_text(text)
    with pytest.raises(MetricFileError, match=message) as caught:
        templates.metric_files(tmp_path)
    assert "top_one.sql" in str(caught.value)
