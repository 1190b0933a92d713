"""The dbt project in tests/dbt/project uses the package: every number is what Python computes.

dbt needs its own environment. Set RECALL_DUCKDB_DBT to its interpreter.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import Started
from engine_cases import assert_same
from engines.base import missing
from folders import ROOT, TESTS

from recall_duckdb import __version__, evaluate

Rows = list[dict[str, Any]]

HERE = TESTS / "dbt"
PACKAGE = ROOT / "sql"
of_dbt = pytest.mark.needs("dbt")
TARGETS = [
    pytest.param("duckdb", marks=of_dbt),
    pytest.param("postgres", marks=pytest.mark.needs("dbt", "Postgres")),
    pytest.param("clickhouse", marks=pytest.mark.needs("dbt", "ClickHouse")),
    pytest.param("spark", marks=pytest.mark.needs("dbt", "Spark")),
]
DAYS = ("2024-03-01", "2024-03-02", "2024-03-03")
BATCHES = ("--event-time-start", DAYS[0], "--event-time-end", "2024-03-04")
DAILY = ("recall_by_day", "recall_per_user_and_day")

USERS = {
    "query": "user_id", "item": "item_id", "qrels_query": "buyer", "qrels_item": "product_id", "relevance": "quantity",
}  # fmt: skip
EVERY_DAY = {**USERS, "query": ["user_id", "day"], "qrels_query": ["buyer", "day"], "model": "system"}
EVERY_DAY |= {"run": "FROM recommendations", "qrels": "FROM purchases"}
TODAY = {**USERS, "run": "FROM cosine", "qrels": "FROM bought"}
# The question of each model, in Python. Relations are SELECTs here, since dbt passes filters as arguments.
QUESTIONS: dict[str, dict[str, Any]] = {
    "recall": {**TODAY, "metrics": "recall@2,4"},
    "quality": {
        **TODAY,
        "metrics": [
            "recall@2,4", "ndcg(gain=exponential)@4", "ndcg@4", "precision@2", "ap",
            "rr@4", "bpref", "err(max_grade=5)@4", "auc", "num_q",
        ],
    },
    "quality_per_user": {**TODAY, "metrics": ["recall@2,4", "ndcg@4", "ap", "bpref", "err@4"], "by": "country"},
    "quality_by_country": {**TODAY, "metrics": ["recall@2", "ap", "bpref"], "by": "country"},
    "ndcg_of_systems": {**EVERY_DAY, "metrics": "ndcg@2,4"},
    "ap_of_named_runs": {**TODAY, "metrics": "ap", "run": {"cosine": "FROM cosine", "it's popular": "FROM popular"}},
    "recall_of_a_day": {
        **USERS,
        "metrics": "recall@2",
        "run": f"FROM recommendations WHERE day = '{DAYS[1]}'",
        "qrels": f"FROM purchases WHERE day = '{DAYS[1]}' AND country = 'BE'",
        "model": "system",
    },
    "clicks": {
        "metrics": ["recall@2", "ndcg@4", "auc"],
        "run": "FROM impressions", "query": "user_id", "item": "item_id", "relevance": "clicked",
    },
    "strict": {
        **TODAY,
        "metrics": ["recall@2", "precision@2", "ap"],
        "no_relevant": "skip", "missing": "skip", "threshold": 2,
    },
    "coverage": {**TODAY, "metrics": "coverage@1,4", "catalog": "FROM products"},
    "recall_of_ctes": {**TODAY, "metrics": "recall@2,4", "qrels": "FROM bought WHERE quantity > 0"},
    "recall_by_day": {**EVERY_DAY, "metrics": "recall@2,4", "by": "day"},
    "recall_per_user_and_day": {**EVERY_DAY, "metrics": "recall@2"},
}  # fmt: skip
COMPARED = (
    *("model", "day", "queries", "baseline", "value", "delta", "sd", "low", "high", "wins", "ties", "losses", "t"),
)
PER_QUERY = ("quality_per_user", "recall_per_user_and_day")

# The data tests that must fail, and the number of rows that each finds.
FAILING = {
    "no_item_twice_on_any_day": 26,
    "recall_is_too_low": 1,  # at one of two cutoffs
    "recall_is_too_low_in_a_country": 1,
    "nothing_was_bought": 2,
    "nothing_is_recommended": 2,
    "nobody_is_recommended_anything": 2,
    "ndcg_is_below_previous": 1,
    "hit_rate_is_gone": 1,
    "there_is_no_quality": 4,
    "recall_is_below_the_day_before": 1,
    "recall_is_worse_on_every_day": 4,
    "nobody_is_compared": 2,
}
MEANS = ("model", "country", "metric", "k", "value", "queries", "window_days", "day")
FAULTS = ("error", "fail", "runtime error", "skipped")


class Shop:
    """A copy of the project in its own folder, and a dbt process that builds it."""

    def __init__(self, program: Path, target: str, home: Path, package: str, postgres: str = "") -> None:
        self.target = target
        self.home = home
        self.project = home / "project"
        shutil.copytree(HERE / "project", self.project)
        (self.project / "packages.yml").write_text(f"packages:\n{package}", "utf-8")
        self.log = (home / "log").open("w")
        self.program = subprocess.Popen(
            [program, HERE / "launch.py", target],
            cwd=self.project,
            env={**os.environ, "RECALL_DUCKDB_HOME": str(home), "RECALL_DUCKDB_POSTGRES": postgres},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )

    def run(self, *arguments: str) -> dict[str, Any]:
        """Run a command of dbt, and return its result."""
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        print(json.dumps(arguments), file=self.program.stdin, flush=True)
        line = self.program.stdout.readline()
        assert line, (self.home / "log").read_text("utf-8")
        result: dict[str, Any] = json.loads(line)
        return result

    def succeed(self, *arguments: str) -> dict[str, str]:
        """Run a command of dbt that must succeed, and return the status of each result by name."""
        result = self.run(*arguments)
        if not result["success"]:
            faults = [f"{name}: {status}: {message}" for name, status, message in result["results"] if status in FAULTS]
            pytest.fail("\n".join([f"dbt {' '.join(arguments)}: {result['error']}", *faults]), pytrace=False)
        return statuses(result)

    def rows(self, select: str) -> Rows:
        """Return the rows of a SELECT."""
        result = self.run("show", "--limit", "-1", "--inline", select)
        assert result["success"], result["error"]
        rows = [dict(zip(result["names"], row, strict=True)) for row in result["rows"]]
        return [row | ({"day": row["day"][:10]} if row.get("day") else {}) for row in rows]  # also of a time

    def table(self, name: str) -> Rows:
        """Return the rows of a model."""
        return self.rows(f"SELECT * FROM {ref(name)}")

    def build(self) -> None:
        """Build everything except the tests that must fail, and read the rows of the models."""
        self.succeed("deps")
        build = ["build", *BATCHES, "--show-all-deprecations", "--exclude", "tag:nightly"]
        self.empty: dict[str, str] = {}
        if self.target == "duckdb":  # with --empty, dbt replaces each relation by a subquery without rows
            self.empty = self.succeed(*build, "--exclude-resource-type", "test", "--empty")
            self.of_empty = self.rows("SELECT model FROM " + " UNION ALL SELECT model FROM ".join(map(ref, QUESTIONS)))
            build.insert(1, "--full-refresh")
        self.statuses = self.succeed(*build, "tag:fails")
        # Use as few commands as possible: each takes time.
        alike = ("model", "metric", "k", "value", "queries")
        plain = [name for name, question in QUESTIONS.items() if "by" not in question and name not in PER_QUERY]
        selects = [f"SELECT '{name}' AS name, {', '.join(alike)} FROM {ref(name)}" for name in plain]
        self.tables: dict[str, Rows] = {name: [] for name in plain}
        for row in self.rows(" UNION ALL ".join(selects)):
            self.tables[row.pop("name")].append(row)
        self.tables |= {name: self.table(name) for name in QUESTIONS if name not in plain}

    def close(self) -> None:
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        self.program.stdin.close()
        self.program.wait(300)
        self.program.stdout.close()
        self.log.close()


def ref(name: str) -> str:
    return f"{{{{ ref('{name}') }}}}"


def night(day: str) -> tuple[str, ...]:
    """Return the command that a job runs each night."""
    return f"RECALL_DUCKDB_DAY={day}", "build", "--select", "tag:nightly"


def statuses(result: dict[str, Any]) -> dict[str, str]:
    """Return the status of each result by name. The identity of a unit test also contains its model."""
    found = {}
    for identity, status, _ in result["results"]:
        kind, _, name, *rest = identity.split(".")
        found[rest[0] if kind == "unit_test" else name] = status
    return found


def from_git(home: Path) -> str:
    """Return the package as a user installs it: a folder of a git repository, at a revision."""
    shutil.copytree(PACKAGE, home / "repository" / "sql")
    git = ["git", "-C", str(home / "repository"), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"], ["tag", "v1"]):
        subprocess.run([*git, *arguments], check=True)
    return f"  - {{git: 'file://{home / 'repository'}', subdirectory: sql, revision: v1}}\n"


@pytest.fixture(scope="module", params=TARGETS)
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, started: Started, dbt_program: Path
) -> Iterator[Shop]:
    target: str = request.param
    reason = missing(program="java", how="install Java 17") if target == "spark" else None
    assert reason is None, reason
    home = tmp_path_factory.mktemp(target)
    postgres: Any = started.engine("Postgres") if target == "postgres" else None
    package = from_git(home) if target == "postgres" else f"  - local: {PACKAGE}\n"
    shop = Shop(dbt_program, target, home, package, postgres.home if postgres else "")
    try:
        shop.build()
        yield shop
    finally:
        shop.close()


only_duckdb = pytest.mark.parametrize("shop", TARGETS[:1], indirect=True)


def database(project: Path) -> duckdb.DuckDBPyConnection:
    """Open a database with the seeds, and with the models that only select rows of them."""
    opened = duckdb.connect()
    for seed in sorted(project.glob("seeds/*.csv")):
        opened.execute(f"CREATE TABLE {seed.stem} AS FROM read_csv('{seed}')")
    for name in ("cosine", "popular", "bought"):
        written = (project / "models" / "given" / f"{name}.sql").read_text("utf-8")
        opened.execute(f"CREATE VIEW {name} AS " + re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"\1", written))
    return opened


def plain(value: object) -> object:
    """Return a value as dbt shows it."""
    return str(value) if isinstance(value, date) else value


def computed(name: str, opened: duckdb.DuckDBPyConnection) -> Rows:
    """Compute the question of a model in Python, with the column names of the model's table."""
    asked = dict(QUESTIONS[name])
    for relation in ("run", "qrels", "catalog"):
        given = asked.get(relation)
        if isinstance(given, dict):
            asked[relation] = {model: opened.sql(select) for model, select in given.items()}
        elif given:
            asked[relation] = opened.sql(given)
    result = evaluate(**asked, connection=opened)
    answer = result.per_query if name in PER_QUERY else result.means
    columns = [column.replace("@", "_at_") for column in answer.columns]
    rows = [dict(zip(columns, map(plain, row), strict=True)) for row in answer.fetchall()]
    # The models that dbt builds day by day do not contain the mean over all days.
    return [row for row in rows if row["day"]] if name in DAILY else rows


@cache
def expected(name: str) -> Rows:
    return computed(name, database(HERE / "project"))


def assert_equal(found: Rows, rows: Rows) -> None:
    """Assert that the rows are equal in any order, numbers to 1e-12, in the columns of `found`."""
    columns = list(found[0])
    assert_same([tuple(row.values()) for row in found], [tuple(row[column] for column in columns) for row in rows])


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_model_contains_what_python_computes(shop: Shop, name: str) -> None:
    assert_equal(shop.tables[name], expected(name))


def test_every_model_is_compared() -> None:
    models = {path.stem for path in (HERE / "project" / "models" / "evaluated").glob("*.sql")}
    assert models == {*QUESTIONS, "no_quality", "systems_compared"}


def test_a_comparison_contains_what_python_computes(shop: Shop) -> None:
    question: dict[str, Any] = {**EVERY_DAY, "metrics": "recall@2", "by": "day"}
    opened = database(HERE / "project")
    runs = {name: opened.sql(question[name]) for name in ("run", "qrels")}
    compared = evaluate(**{**question, **runs}, connection=opened).compare("popular").to_dicts()
    rows = [{name: plain(row[name]) for name in COMPARED} for row in compared]
    found = sorted(shop.table("systems_compared"), key=lambda row: row["day"] or "")
    assert len(rows) == len(found) == 1 + len(DAYS)
    for row, expected_row in zip(found, rows, strict=True):
        assert row["metric"] == "recall_at_2"
        numbers = {name: value for name, value in row.items() if name not in ("metric", "low", "high")}
        assert numbers == pytest.approx({name: expected_row[name] for name in numbers}, abs=1e-12)
        bounds = {name: row[name] for name in ("low", "high")}
        assert bounds == pytest.approx({name: expected_row[name] for name in bounds}, abs=1e-6)


def test_data_tests_and_unit_tests_pass(shop: Shop) -> None:
    assert set(shop.statuses.values()) == {"success", "pass"}
    assert shop.statuses.keys() >= {
        "no_item_twice_on_a_day",
        "recall_suffices",
        "recall_is_not_below_previous",
        "ndcg_is_within_tolerance",
        "recall_is_within_tolerance_of_the_day_before",
        "recall_is_not_much_worse",
        "recall_is_not_significantly_worse",
        "recall_is_that_of_the_same_values",
        "two_of_four_are_found",
    }


def test_failing_data_tests_store_the_failing_rows(shop: Shop) -> None:
    result = shop.run("test", "--select", "tag:fails")
    assert not result["success"]
    found = {name.split(".")[2]: (status, message.split(",")[0]) for name, status, message in result["results"]}
    assert found == {name: ("fail", f"Got {rows} result{'s' if rows > 1 else ''}") for name, rows in FAILING.items()}

    kept = ["recall_is_too_low", "recall_is_too_low_in_a_country", "ndcg_is_below_previous", "hit_rate_is_gone"]
    selects = [
        f"SELECT '{name}' AS name, metric, k, value FROM {{{{ target.schema }}}}_dbt_test__audit.{name}"
        for name in kept
    ]
    quality = {(row["metric"], row["k"]): row["value"] for row in expected("quality")}
    in_belgium = next(row for row in expected("quality_by_country") if (row["country"], row["k"]) == ("BE", 2))
    assert_same(
        [tuple(row.values()) for row in shop.rows(" UNION ALL ".join(selects))],
        [
            ("recall_is_too_low", "recall", 2, quality["recall", 2]),
            ("recall_is_too_low_in_a_country", "recall", 2, in_belgium["value"]),
            ("ndcg_is_below_previous", "ndcg", 4, quality["ndcg", 4]),
            ("hit_rate_is_gone", "hit_rate", 4, None),
        ],
    )


def test_dbt_logs_no_warnings(shop: Shop) -> None:
    log = (shop.home / "logs" / "dbt.log").read_text("utf-8")
    assert "PASS=" in log
    assert re.findall(r".*(?:\[warn|[Dd]eprecat).*", log) == []


def unchecked(shop: Shop) -> set[str]:
    """Return the models of which dbt's log says that no test checks what they read."""
    log = (shop.home / "logs" / "dbt.log").read_text("utf-8")
    return set(
        re.findall(r"recall_duckdb: no test checks what (\w+) reads: .* Add the data test recall_duckdb.check", log)
    )


def test_the_first_run_of_a_model_tells_that_no_test_checks_its_data(shop: Shop) -> None:
    assert {"recall", "quality_per_user", "recall_by_day"} <= unchecked(shop)


def test_incremental_models_recompute_only_the_changed_day(shop: Shop) -> None:
    """Change run and qrels; without a change, the models stay the same."""
    selected = ("--select", *DAILY, "--exclude-resource-type", "test")
    last = ("--event-time-start", DAYS[2], "--event-time-end", BATCHES[3])
    shop.succeed("build", *selected, *last)
    for name in DAILY:
        assert_equal(shop.table(name), expected(name))

    for seed, old, new in (("recommendations", "0.", "-0."), ("purchases", ",4,", ",0,")):
        path = shop.project / "seeds" / f"{seed}.csv"
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    shop.succeed("seed", "--select", "recommendations", "purchases")
    shop.succeed("build", *selected, *last)
    changed = database(shop.project)
    for name in DAILY:
        kept = [row for row in expected(name) if row["day"] != DAYS[2]]
        again = [row for row in computed(name, changed) if row["day"] == DAYS[2]]
        assert again != [row for row in expected(name) if row["day"] == DAYS[2]]
        assert_equal(shop.table(name), kept + again)


def means_of_window(opened: duckdb.DuckDBPyConnection, day: str, length: int) -> Rows:
    """Compute the means of the days of a window in Python. Each day's list of a user is a list of its own."""
    condition = f"day BETWEEN DATE '{day}' - {length - 1} AND '{day}'"
    question: dict[str, Any] = {**EVERY_DAY, "metrics": ["recall@2", "ndcg@4"], "by": "country"}
    for name in ("run", "qrels"):
        question[name] = opened.sql(f"{question[name]} WHERE {condition}")
    means = evaluate(**question, connection=opened).means.fetchall()
    return [dict(zip(MEANS, (*row, length, day), strict=True)) for row in means]


def test_a_nightly_job_can_run_twice_and_fails_only_for_a_bad_night(shop: Shop) -> None:
    nights = [shop.run(*night(day)) for day in (DAYS[0], DAYS[1], DAYS[1], DAYS[2])]
    found = [statuses(result) for result in nights]
    assert [set(each.values()) for each in found[:3]] == [{"success", "pass"}] * 3
    tests = {
        "night_is_sound",
        "night_is_good_enough",
        "every_mean_is_of_a_metric",
        "cosine_is_not_much_worse_than_popular",
    }
    assert found[0].keys() == {
        *("recommended", "sold", "quality_by_day", "night_is_not_much_worse_than_the_night_before", *tests)
    }
    assert {name for name, status in found[3].items() if status == "fail"} == {"night_is_sound"}
    assert found[3]["quality_by_day"] == "skipped"
    opened = database(shop.project)
    means = [row for day in DAYS[:2] for length in (1, 2) for row in means_of_window(opened, day, length)]
    rows = shop.table("quality_by_day")
    assert_equal([{name: row[name] for name in MEANS} for row in rows], means)
    assert {row["version"] for row in rows} == {__version__}
    assert {json.loads(row["policies"])["missing"] for row in rows} == {"zero"}
    assert "quality_by_day" not in unchecked(shop)
    [fault] = shop.rows("SELECT * FROM {{ target.schema }}_dbt_test__audit.night_is_sound")
    assert (fault["check_name"], fault["faults"]) == ("qrels_duplicates", 13)


@only_duckdb
def test_macros_are_documented_in_the_catalog(shop: Shop) -> None:
    shop.succeed("docs", "generate")
    manifest = json.loads((shop.home / "target" / "manifest.json").read_text("utf-8"))
    macros = {macro["name"]: macro for macro in manifest["macros"].values() if macro["package_name"] == "recall_duckdb"}
    shown = {name: macro for name, macro in macros.items() if macro["docs"]["show"]}
    assert {"evaluate", "recall_at_k", "bpref", "test_recall_at_k_at_least", "test_metric_not_below_previous"} <= set(
        shown
    )
    for macro in shown.values():
        assert macro["description"]
        assert macro["arguments"]
        assert all(argument["description"] and argument["type"] for argument in macro["arguments"])


@only_duckdb
def test_an_empty_build_makes_empty_tables(shop: Shop) -> None:
    assert {*QUESTIONS, "two_of_four_are_found"} <= shop.empty.keys()
    assert set(shop.empty.values()) == {"success", "pass"}
    assert shop.of_empty == []
