"""The shipped package has its SQL and its types, and importing it costs almost nothing."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from folders import ROOT

import recall_duckdb

FINDS_SQL = """
from recall_duckdb import recall
from recall_duckdb.definitions.templates import sql_folder
print(recall(["a"], ["a", "b"]), sql_folder())
"""


def python(*arguments: str, cwd: Path | None = None, program: str = sys.executable) -> str:
    command = [program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd, timeout=300).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    [path] = folder.glob("*.whl")
    return path


def test_the_wheel_has_the_package_and_every_sql_file_and_nothing_else(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sql, code = ([path for path in (ROOT / name).rglob("*") if path.is_file()] for name in ("sql", "recall_duckdb"))
    own = [path for path in code if path.suffix in (".py", ".typed", ".json", ".txt", ".css")]
    assert held == {f"recall_duckdb/{path.relative_to(ROOT)}" for path in sql} | {
        str(path.relative_to(ROOT)) for path in own
    }


@pytest.mark.slow
def test_an_installed_wheel_finds_its_sql(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False, system_site_packages=False)
    [library] = (tmp_path / "venv").glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(library)
    # duckdb and sqlglot come from the environment of the tests, but the package itself must come from the wheel.
    dependencies = {str(Path(__import__(name).__file__ or "").parent.parent) for name in ("duckdb", "sqlglot")}
    (library / "dependencies.pth").write_text("\n".join(dependencies))
    program = str(tmp_path / "venv" / "bin" / "python")
    where = python("-I", "-c", "import recall_duckdb; print(recall_duckdb.__file__)", cwd=tmp_path, program=program)
    assert Path(where.strip()).is_relative_to(library)
    value, folder = python("-I", "-c", FINDS_SQL, cwd=tmp_path, program=program).split()
    assert value == "0.5"
    code = "from recall_duckdb import dialects; print(dialects.evidence('sqlite'))"
    assert python("-I", "-c", code, cwd=tmp_path, program=program) == "executed: SQLite\n"
    assert Path(folder) == library / "recall_duckdb" / "sql"


def test_a_clone_finds_its_sql(tmp_path: Path) -> None:
    assert python("-c", FINDS_SQL, cwd=ROOT).split() == ["0.5", str(ROOT / "sql")]


def test_importing_loads_neither_sqlglot_nor_optional_packages() -> None:
    others = "sqlglot", "pandas", "numpy", "polars", "rich", "altair"
    code = f"import sys, recall_duckdb; print([name for name in {others!r} if name in sys.modules])"
    assert python("-c", code).strip() == "[]"


def test_the_core_needs_only_duckdb_and_sqlglot() -> None:
    blocked = "pandas", "numpy", "polars", "pyarrow", "rich", "altair", "vl_convert"
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n"
        "import recall_duckdb\n"
        "from recall_duckdb.cli import main\n"
        "run = {'query': [1, 1], 'item': ['a', 'b'], 'score': [2, 1], 'relevance': [0, 1]}\n"
        "result = recall_duckdb.evaluate(run, metrics='rr')\n"
        "try: result.to_polars()\n"
        "except recall_duckdb.RecallError as error: print(error)\n"
        "print(result.to_dicts()[0]['value'], main(['metrics']))"
    )
    lines = python("-c", code).splitlines()
    assert lines[0] == "this needs polars: pip install 'recall-duckdb[polars]'"
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
