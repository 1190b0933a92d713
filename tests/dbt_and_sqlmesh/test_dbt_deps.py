"""`dbt deps` installs the package from a folder of a git repository and from a tarball."""

from __future__ import annotations

import runpy
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from folders import ROOT

from recall_duckdb import __version__

RELEASE: dict[str, Callable[..., None]] = runpy.run_path(str(ROOT / ".ci" / "release" / "dbt_package.py"))
PROJECT = "name: shop\nversion: 1.0.0\nprofile: shop\n"
PROFILE = "shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb}}}\n"


def git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> str:
    """Make a repository of a folder, with a tag of the version, and return its address."""
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Release")
    git(folder, "tag", f"v{__version__}")
    return folder.as_uri()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Serve a folder on this machine, and return its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.mark.needs("dbt")
@pytest.mark.parametrize("how", ["tarball", "subdirectory"])
def test_dbt_deps_installs_the_package(how: str, server: str, tmp_path: Path, dbt_program: Path) -> None:
    entry: dict[str, Any]
    if how == "tarball":
        RELEASE["write_tarball"](tmp_path / "recall_duckdb_dbt.tar.gz", __version__, "")
        entry = {"tarball": f"{server}/recall_duckdb_dbt.tar.gz", "name": "recall_duckdb"}
    else:
        RELEASE["write_package"](tmp_path / "clone" / "sql", __version__, "")
        address = repository(tmp_path / "clone")
        entry = {"git": address, "subdirectory": "sql", "revision": f"v{__version__}"}
    project = tmp_path / "shop"
    project.mkdir()
    (project / "dbt_project.yml").write_text(PROJECT)
    (project / "profiles.yml").write_text(PROFILE)
    lines = "".join(f"    {key}: {value}\n" for key, value in entry.items())
    (project / "packages.yml").write_text(f"packages:\n  -{lines[3:]}")
    dbt(dbt_program, project, "deps")
    held = {path.name for path in (project / "dbt_packages" / "recall_duckdb").iterdir()}
    assert {"dbt_project.yml", "macros", "LICENSE", "README.md"} <= held


def dbt(program: Path, project: Path, *arguments: str) -> str:
    command = [str(program.parent / "dbt"), *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_package_has_nothing_of_its_last_version(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "macros").mkdir()
    (tmp_path / "macros" / "old.sql").write_text("{# old #}")
    RELEASE["write_package"](tmp_path, "1.2.3", "https://github.com/owner/name")
    assert {path.name for path in tmp_path.iterdir()} == {
        *(".git", "macros", "dbt_project.yml", "README.md", "LICENSE", "CHANGELOG.md")
    }
    assert not (tmp_path / "macros" / "old.sql").exists()
    assert "(https://github.com/owner/name/blob/v1.2.3/docs/guide/dbt.md)" in (tmp_path / "README.md").read_text()
