"""Reads text files whose names do not say what they are: TREC files, or lines with fields."""

from __future__ import annotations

import duckdb
from sqlglot import exp

from recall_duckdb.inputs import unreadable
from recall_duckdb.inputs.formats import lines
from recall_duckdb.inputs.formats.base import Format, Request
from recall_duckdb.inputs.formats.csv import Csv
from recall_duckdb.inputs.formats.trec import Trec
from recall_duckdb.inputs.separators import fields_of, is_header
from recall_duckdb.inputs.source import Source


class Text(Format):
    """Files with any other ending."""

    name = "text"

    def call(self, request: Request) -> exp.Expr:
        """Return the call for the columns that were named, or else for TREC files."""
        return (Csv() if request.columns else Trec()).call(request)

    def open(self, request: Request) -> Source:
        """Return the relation that reads lines with named fields, or a TREC file.

        Raises:
            ArgumentError: the ending is that of a format that is not read.
        """
        unreadable.check_endings(request.paths, request.side)
        return _form(request).open(request)

    def fault(self, request: Request, error: duckdb.Error) -> duckdb.Error:
        """Return the error of the format that the file has."""
        try:
            return _form(request).fault(request, error)
        except duckdb.Error:  # the first line cannot be read
            return error


def _form(request: Request) -> Format:
    return Csv() if request.columns or is_header(fields_of(lines.first_line(request))) else Trec()
