r"""Paths of Windows, such as C:\runs\bm25.parquet, mean the same as those of other systems."""

from __future__ import annotations

from pathlib import PureWindowsPath

import pytest

from recall_duckdb.reading import files, formats
from recall_duckdb.reading.formats.base import directories_of


@pytest.mark.parametrize(
    "path", [r"C:\my runs\bm25.v2.parquet", "C:/my runs/bm25.v2.parquet", r"\\server\runs\bm25.v2.csv.gz"]
)
def test_a_run_is_named_by_its_file(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "Path", PureWindowsPath)
    assert formats.name_of(path) == "bm25.v2"
    assert formats.format_of(path) is not None


@pytest.mark.parametrize(
    ("url", "path"),
    [("file:///C:/runs/a.csv", "C:/runs/a.csv"), ("file://localhost/D:/a.csv", "D:/a.csv"), (r"C:\a.csv", r"C:\a.csv")],
)
def test_a_file_url_names_a_drive(url: str, path: str) -> None:
    assert files.local(url, is_windows=True) == path
    assert not files.is_remote(url)


def test_directories_are_split_at_backslashes() -> None:
    assert directories_of([r"C:\runs\Day=1\run.parquet"]) == {"day": "Day=1"}
