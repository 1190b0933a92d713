"""Locks that end with their process, and temporary folders that a later process removes if theirs was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import fails

from recall_duckdb import locks
from recall_duckdb.locks import OwnFolder, hold_lock, try_lock

KILLED = """
import os, signal, sys
from pathlib import Path
from recall_duckdb.engines import connect
from recall_duckdb.locks import OwnFolder, try_lock
kept = connect(), OwnFolder(".recall-duckdb-", sys.argv[1]), try_lock(Path(sys.argv[1], "history.lock"))
(kept[1].path / "written").touch()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def nothing_was_removed_before() -> Iterator[None]:
    locks._remove_abandoned.cache_clear()
    yield
    locks._remove_abandoned.cache_clear()


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], env=environment, check=False)
    assert killed.returncode == -9
    assert {path.name[:14] for path in tmp_path.iterdir()} == {"recall_duckdb_", ".recall-duckdb", "history.lock"}
    with hold_lock(tmp_path / "history.lock", seconds=0) as is_held:
        assert is_held
    for prefix in ("recall_duckdb_", ".recall-duckdb-"):
        OwnFolder(prefix, tmp_path).remove()
    assert list(tmp_path.iterdir()) == []


def test_only_folders_without_a_process_are_removed(tmp_path: Path) -> None:
    used = OwnFolder("recall_duckdb_", tmp_path)
    others = tmp_path / "recall_duckdb_notes", tmp_path / "my_folder", tmp_path / "elsewhere"
    abandoned = tmp_path / "recall_duckdb_1"
    for folder in (*others, abandoned):
        folder.mkdir()
        (folder / "data").touch()
    for folder in (others[1], others[2], abandoned):
        (folder / "recall_duckdb.lock").touch()
    link = tmp_path / "recall_duckdb_link"
    link.symlink_to(others[2])
    locks._remove_abandoned.cache_clear()
    new = OwnFolder("recall_duckdb_", tmp_path)
    assert set(tmp_path.iterdir()) == {*others, link, used.path, new.path}
    assert (others[2] / "data").exists()


def test_a_folder_is_removed_with_the_object_that_holds_it(tmp_path: Path) -> None:
    folder = OwnFolder("recall_duckdb_", tmp_path)
    assert folder.path.stat().st_mode & 0o777 == 0o700
    del folder
    assert list(tmp_path.iterdir()) == []


def test_a_lock_has_one_owner(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    file = try_lock(path)
    assert file is not None
    with hold_lock(path, seconds=0) as is_held:
        assert not is_held
    assert path.exists()
    os.close(file)
    with hold_lock(path, seconds=0) as is_held:
        assert is_held
    assert not path.exists()


@pytest.mark.parametrize("is_made_anew", [False, True], ids=["removed", "of the next owner"])
def test_the_lock_of_a_file_that_its_owner_removed_is_not_held(is_made_anew: bool, tmp_path: Path) -> None:
    """Given that the owner removes the file after another opened it, the other locks a file without a name."""

    class Removed(type(tmp_path)):  # type: ignore[misc]
        def stat(self, **options: bool) -> os.stat_result:
            self.unlink()
            if is_made_anew:
                self.touch()
            return Path(self).stat(**options)

    assert try_lock(Removed(tmp_path / "lock")) is None


def test_a_place_that_cannot_be_listed_holds_no_abandoned_folder(tmp_path: Path) -> None:
    fails(FileNotFoundError, "", OwnFolder, "recall_duckdb_", tmp_path / "missing")
