"""A contributor adds an input format as task 4 in CONTRIBUTING.md says: a short copy of `formats/parquet.py`."""

from __future__ import annotations

import gzip
from pathlib import Path

from folders import ROOT
from sqlglot import exp

from recall_duckdb import evaluate
from recall_duckdb.definitions import trees
from recall_duckdb.reading import formats
from recall_duckdb.reading.formats.base import Format, Request, source_of
from recall_duckdb.reading.source import Source


class Bars(Format):
    name = "bars"
    endings = frozenset({"bars"})

    def call(self, request: Request) -> exp.Expr:
        return exp.func("read_csv", request.path, trees.option("delim", trees.literal("|")))

    def open(self, request: Request) -> Source:
        return source_of(request, self.call(request), untyped=True)  # its ids are text


def test_files_of_the_format_are_read_alone_compressed_and_by_a_glob(tmp_path: Path) -> None:
    formats.register(Bars())
    assert len((ROOT / "recall_duckdb/reading/formats/parquet.py").read_text().splitlines()) <= 120
    text = "query|item|score\n1|007|0.5\n1|8|0.9\n"
    (tmp_path / "run.bars").write_text(text)
    (tmp_path / "run.bars.gz").write_bytes(gzip.compress(text.encode()))
    for name in ("run.bars", "run.bars.gz", "*.bars"):
        assert evaluate(tmp_path / name, {"1": ["007"]}, "rr").value("rr") == 0.5
