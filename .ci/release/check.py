"""Check that this clone can be released: `python3 .ci/release/check.py`, or some steps only, by name.

It needs Python alone, and a network or a mirror that pip knows. Everything is built and installed in a folder that is
removed afterwards.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dbt_package import write_tarball
from versions import FIX, named_versions, repository, version

ROOT = Path(__file__).resolve().parents[2]
_SCRIPTS = "Scripts" if os.name == "nt" else "bin"
_MOST_BYTES = {".whl": 1_500_000, ".gz": 4_000_000, ".duckdb": 2_000_000}
_PACKAGE = {".py", ".sql", ".typed", ".json", ".txt", ".css", ".html"}
# They need no bash, no symbolic links and no compiler.
_TESTS = ("tests/evaluation/test_goldens.py", "tests/evaluation/test_seeds.py", "tests/reading/test_text_files.py")
_FOR_TESTS = ("pytest>=8", "hypothesis>=6.100", "numpy>=1.26", "polars>=1")
_LINKS = """
import re
import sys
from readme_renderer.markdown import render

page = render(sys.stdin.read(), variant="GFM")
assert page, "PyPI cannot render the README"
page = page.replace("user-content-", "")
headings = {f"#{name}" for name in re.findall(r'\\bid="([^"]+)"', page)}
print(*set(re.findall(r'\\b(?:href|src)="([^"]+)"', page)) - headings, sep="\\n")
"""
_FIRST_ANSWER = """
from importlib.metadata import version
import recall_duckdb
assert version("recall-duckdb") == recall_duckdb.__version__
print(recall_duckdb.__file__)
print(recall_duckdb.recall(["a"], ["a", "b"]))
"""
_ATTACHED = """
import sys, duckdb
connection = duckdb.connect()
connection.execute(f"ATTACH '{sys.argv[1]}' (READ_ONLY)")
print(*connection.execute("SELECT recall_duckdb.recall_duckdb_version()").fetchone())
connection.execute("CREATE TABLE run AS SELECT 'q' AS query, 'a' AS item, 1 AS score")
connection.execute("CREATE TABLE qrels AS SELECT 'q' AS query, unnest(['a', 'b']) AS item, 1 AS relevance")
print(*connection.execute("SELECT value FROM recall_duckdb.recall_at_k('run', 'qrels', 10)").fetchone())
"""


class ReleaseError(Exception):
    """What keeps this clone from being released."""


@dataclass(frozen=True)
class Check:
    """The steps; each reads what earlier steps left in the folder."""

    folder: Path
    dist: Path
    files: Path

    @property
    def archive(self) -> Path:
        """The wheel that was built."""
        return _only(self.dist, "*.whl")

    @property
    def sdist(self) -> Path:
        """The source distribution that was built."""
        return _only(self.dist, "*.tar.gz")

    def build(self) -> None:
        """Build the source distribution, and the wheel from it."""
        self._tool("build", "--installer", "uv", "--outdir", str(self.dist), str(ROOT))

    def contents(self) -> None:
        """Compare the files in both archives with those of the clone, and their sizes with a limit."""
        held = {name for name in zipfile.ZipFile(self.archive).namelist() if ".dist-info/" not in name}
        sql = (path for path in (ROOT / "sql").rglob("*") if path.is_file())
        code = (path for path in (ROOT / "recall_duckdb").rglob("*") if path.suffix in _PACKAGE)
        expected = {f"recall_duckdb/{path.relative_to(ROOT).as_posix()}" for path in sql}
        _same("the wheel", held, expected | {path.relative_to(ROOT).as_posix() for path in code})
        in_clone = _files_of_clone()
        if in_clone:
            with tarfile.open(self.sdist) as archive:
                held = {member.name.partition("/")[2] for member in archive if member.isfile()}
            _same("the source distribution", held - {"PKG-INFO"}, in_clone)
        for path in (self.archive, self.sdist):
            if path.stat().st_size > _MOST_BYTES[path.suffix]:
                raise ReleaseError(
                    f"{path.name} has {path.stat().st_size:,} bytes, more than {_MOST_BYTES[path.suffix]:,}"
                )

    def metadata(self) -> None:
        """Let twine check the metadata, and compare the version everywhere."""
        self._tool("twine", "check", "--strict", str(self.archive), str(self.sdist))
        for file, found in named_versions(ROOT).items():
            if found != version():
                raise ReleaseError(f"{file} names {found}, but recall_duckdb/__init__.py names {version()}: {FIX}")

    def links(self) -> None:
        """Look for links that lead nowhere on PyPI, in the README as PyPI renders it."""
        archive = zipfile.ZipFile(self.archive)
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        text = archive.read(name).decode().partition("\n\n")[2]
        ours = rf"{re.escape(repository() or '-')}/(?:blob|raw)/v{re.escape(version())}/([^#]+)"
        for link in filter(None, self._tool("-c", _LINKS, text=text).splitlines()):
            found = re.match(ours, link)
            if not link.startswith("https://") or (found and not (ROOT / found[1]).exists()):
                raise ReleaseError(f"the README on PyPI would have a dead link: {link}")

    def install(self) -> None:
        """Install the wheel alone in a bare environment, and ask it for a value."""
        python = self._environment("bare", str(self.archive))
        _run(str(self._uv()), "pip", "check", "--python", str(python))
        file, value = _run(str(python), "-I", "-c", _FIRST_ANSWER, cwd=self.folder).splitlines()
        if not Path(file).is_relative_to(self.folder) or value != "0.5":
            raise ReleaseError(f"the installed wheel says {value} from {file}")
        for command in ("metrics", "dialects"):
            _run(str(python.parent / "recall-duckdb"), command, cwd=self.folder)

    def without_python(self) -> None:
        """Write the files for DuckDB and dbt, and read the database with the oldest and the newest DuckDB."""
        self.files.mkdir(parents=True, exist_ok=True)
        write_tarball(self.files / "recall_duckdb_dbt.tar.gz", version(), repository())
        database = self.files / "recall_duckdb.duckdb"
        macros = shutil.copy(ROOT / "sql" / "recall_duckdb.sql", self.files)
        oldest = self._environment("oldest-duckdb", f"duckdb=={oldest_duckdb()}")
        _run(str(oldest), str(ROOT / ".ci" / "release" / "database.py"), str(macros), str(database))
        if list(self.files.glob("*.wal")) or database.stat().st_size > _MOST_BYTES[".duckdb"]:
            raise ReleaseError(
                f"{self.files} has a log of the database, or its file has {database.stat().st_size:,} bytes"
            )
        newest = self._environment("newest-duckdb", "duckdb")
        for python in (oldest, newest):
            printed = _run(str(python), "-c", _ATTACHED, str(database))
            if printed.split() != [version(), "0.5"]:
                raise ReleaseError(f"the macros in {database.name} return {printed}")

    def wheel(self) -> None:
        """Run tests of values and files on the wheel, on any system, in a folder without the package."""
        python = self._environment("tests", str(self.archive), *_FOR_TESTS)
        folder = self.folder / "without-package"
        for name in ("tests", "fixtures", "sql"):
            shutil.copytree(ROOT / name, folder / name)
        shutil.copy(ROOT / "pyproject.toml", folder)
        _run(str(python), "-m", "pytest", "-q", "--cases", "few", *_TESTS, cwd=folder, is_shown=True)

    def readme(self) -> None:
        """Run the README's main job in the unpacked source distribution, and compare the table that it prints."""
        printed = _run("bash", "-euo", "pipefail", "-c", block("the main job"), cwd=self._unpacked())
        if not printed.endswith(block("its output")):
            raise ReleaseError(f"the README's main job prints\n{printed}")

    def docs(self) -> None:
        """Make the site of the unpacked source distribution."""
        _run(".ci/docs", str(self.folder / "site"), cwd=self._unpacked())

    def tests(self) -> None:
        """Run the README's tests in the unpacked source distribution."""
        _run("bash", "-euo", "pipefail", "-c", block("the tests"), cwd=self._unpacked(), is_shown=True)

    def publishing(self) -> None:
        """Look for what only a version that is published needs: a repository, a date and a tag."""
        if not re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+", repository()):
            raise ReleaseError(
                "pyproject.toml names no repository: set `repository` below [tool.hatch.metadata.hooks.custom], as in "
                '"https://github.com/OWNER/NAME"'
            )
        heading = rf"^## {re.escape(version())} \(\d{{4}}-\d\d-\d\d\)$"
        if not re.search(heading, (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
            raise ReleaseError(f"CHANGELOG.md has no date: the heading should be like `## {version()} (2027-01-31)`")
        tag = os.environ.get("GITHUB_REF_NAME", f"v{version()}")
        if tag != f"v{version()}":
            raise ReleaseError(f"the tag {tag} is not v{version()}, the version in recall_duckdb/__init__.py")
        actual = os.environ.get("GITHUB_REPOSITORY", "")
        if actual and not repository().endswith(f"/{actual}"):
            raise ReleaseError(f"this is the repository {actual}, but pyproject.toml names {repository()}")

    def _unpacked(self) -> Path:
        folder = self.folder / "unpacked"
        if not folder.exists():
            with tarfile.open(self.sdist) as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.12 asks for one
                archive.extractall(folder)
        return _only(folder, "*")

    def _environment(self, name: str, *requirements: str) -> Path:
        """Make an environment with these packages, and return its Python."""
        python = self.folder / name / _SCRIPTS / "python"
        if not (self.folder / name).exists():
            venv.create(self.folder / name)
            _run(str(self._uv()), "pip", "install", "-q", "--python", str(python), *requirements)
        return python

    def _uv(self) -> Path:
        """Return uv, which installs in a tenth of pip's time."""
        scripts = self.folder / "uv" / _SCRIPTS
        if not scripts.exists():
            venv.create(self.folder / "uv", with_pip=True)
            _run(str(scripts / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "uv")
        return scripts / "uv"

    def _tool(self, *arguments: str, text: str | None = None) -> str:
        python = self._environment("tools", "build[uv]", "twine", "readme-renderer[md]")
        return _run(str(python), *(("-m",) if arguments[0] != "-c" else ()), *arguments, text=text)


def oldest_duckdb() -> str:
    """Return the oldest version of DuckDB that the package takes."""
    [found] = re.findall(r'"duckdb>=([\d.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    return str(found)


def block(title: str) -> str:
    """Return the code block of the README below the comment of that title."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.search(rf"<!-- {title} -->\n```\w+\n(.*?)```", text, re.DOTALL)
    if not found:
        raise ReleaseError(f"the README has no block below <!-- {title} -->")
    return found[1]


def _only(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    if len(found) != 1:
        raise ReleaseError(f"{folder} has {len(found)} files {pattern}, not one: run the step build first")
    return found[0]


def _files_of_clone() -> set[str]:
    """Return the files that Git tracks; none without Git, or outside a clone."""
    if shutil.which("git") is None:
        return set()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    return set(listed.stdout.split("\0")) - {""}


def _same(archive: str, held: set[str], expected: set[str]) -> None:
    if held != expected:
        raise ReleaseError(f"{archive} lacks {sorted(expected - held)}, and should not have {sorted(held - expected)}")


def _run(*command: str, cwd: Path = ROOT, text: str | None = None, is_shown: bool = False) -> str:
    """Run a command, and return what it prints."""
    stream = None if is_shown else subprocess.PIPE
    done = subprocess.run(command, cwd=cwd, input=text, encoding="utf-8", check=False, stdout=stream, stderr=stream)
    if done.returncode:
        output = "" if is_shown else f":\n{done.stdout}{done.stderr}"
        raise ReleaseError(f"`{' '.join(command)[:200]}` failed{output}")
    return done.stdout or ""


def main(names: list[str], dist: str | None, files: str | None) -> int:
    """Run these steps, and return the exit code."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        folders = (
            Path(given).resolve() if given else folder / name for given, name in ((dist, "dist"), (files, "files"))
        )
        check = Check(folder, *folders)
        for name in names:
            step: Callable[[], None] = getattr(check, name)
            print(f"=== {name}: {(step.__doc__ or '').splitlines()[0]}", flush=True)
            try:
                step()
            except ReleaseError as problem:
                print(f"release-check: {name}: {problem}", file=sys.stderr)
                return 1
    print(f"{version()}: {len(names)} steps passed")
    return 0


STEPS = (
    "build",
    "contents",
    "metadata",
    "links",
    "install",
    "without_python",
    "wheel",
    "readme",
    "docs",
    "tests",
    "publishing",
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"one of {', '.join(STEPS)}")
    parser.add_argument("--dist", help="the folder of the wheel and the source distribution (default: a temporary one)")
    parser.add_argument("--files", help="the folder of the files for DuckDB without Python (default: a temporary one)")
    given = parser.parse_args()
    chosen = given.steps or [step for step in STEPS if step != "publishing"]
    if unknown := set(chosen) - set(STEPS):
        parser.error(f"there is no step {', '.join(sorted(unknown))}: name one of {', '.join(STEPS)}")
    sys.exit(main(chosen, given.dist, given.files))
