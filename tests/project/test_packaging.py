"""The shipped package has its SQL and its types, and importing it costs almost nothing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from folders import ROOT

import recall_duckdb
from recall_duckdb.definitions import templates


def python(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def test_a_clone_finds_its_sql() -> None:
    """`.ci/package` looks for the files of a wheel, and asks an installed one for a value."""
    assert templates.sql_folder() == ROOT / "sql"


def test_importing_loads_neither_sqlglot_nor_optional_packages() -> None:
    others = "sqlglot", "pandas", "numpy", "polars", "altair"
    code = f"import sys, recall_duckdb; print([name for name in {others!r} if name in sys.modules])"
    assert python("-c", code).strip() == "[]"


def test_the_core_needs_only_duckdb_and_sqlglot() -> None:
    blocked = "pandas", "numpy", "polars", "pyarrow", "altair", "vl_convert"
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n"
        "import recall_duckdb\n"
        "from recall_duckdb.cli import main\n"
        "run = {'query': [1, 1], 'item': ['a', 'b'], 'score': [2, 1], 'relevance': [0, 1]}\n"
        "result = recall_duckdb.evaluate(run, metrics='rr')\n"
        "try: result.to_polars()\n"
        "except recall_duckdb.RecallError as error: print(error)\n"
        "values = {'old': {'query': [1, 2], 'rr': [0.5, 1.0]}, 'new': {'query': [1, 2], 'rr': [1.0, 0.5]}}\n"
        "try: recall_duckdb.compare(values, baseline='old', test='randomization')\n"
        "except recall_duckdb.MissingPackageError as error: print(error)\n"
        "print(recall_duckdb.compare(values, baseline='old').value('rr', 'p'))\n"
        "print(result.to_dicts()[0]['value'], main(['metrics']))"
    )
    lines = python("-c", code).splitlines()
    assert lines[0] == "this needs polars: pip install '.[polars]' in a clone of recall_duckdb"
    needed = "pip install '.[compare]' in a clone of recall_duckdb"
    assert lines[1] == f"test: 'randomization' needs numpy: {needed}. test='t' works without it"
    assert lines[2] == "1.0"
    assert lines[-1] == "0.5 0"


def test_the_dbt_package_takes_only_versions_of_dbt_that_are_tested() -> None:
    [limit] = re.findall(r'require-dbt-version: .*"<(\d+)\.0\.0"', (ROOT / "sql" / "dbt_project.yml").read_text())
    [tested] = set(re.findall(r"dbt-core>=(\d+)\.", (ROOT / ".ci" / "engines").read_text()))
    assert int(limit) == int(tested) + 1


def test_every_public_name_exists_and_is_documented() -> None:
    for name in recall_duckdb.__all__:
        assert getattr(recall_duckdb, name).__doc__
    assert dir(recall_duckdb) == recall_duckdb.__all__
    with pytest.raises(AttributeError, match="no attribute 'recal'"):
        _ = recall_duckdb.recal


def test_definitions_are_only_in_sql() -> None:
    formula = re.compile(r"\b(is_relevant|ideal_rank|hits)\b|\blog2\(|\bln\(")
    clause = re.compile(r"[\"'][^\"']*\b(SELECT .* FROM|GROUP BY|PARTITION BY|LEFT JOIN)\b")
    for path in (ROOT / "recall_duckdb").glob("*.py"):
        code = re.sub(r'"""(?s:.*?)"""', "", path.read_text())
        assert not formula.search(code), path
        assert not clause.search(code), path
