"""Reads CSV files, and finds how they are written, so that one layout holds for all their lines.

DuckDB would guess the quotes from the first 20,480 lines. Without a quoted value among them it would take later quotes
for letters, and an id such as "a" would match nothing.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, DataError, quote, spell
from recall_duckdb.question.question import FURTHER
from recall_duckdb.reading.formats.base import Format, Request, first_lines, has_rows, lines_of, pattern_of, source_of
from recall_duckdb.reading.formats.trec import Trec
from recall_duckdb.reading.source import Source, repeated_names
from recall_duckdb.reading.usual_names import SEPARATORS, fields_of, is_header, is_number, is_usual_name

_SEPARATED_BY = 1000  # the first lines in which a separator of lists is looked for
_FIRST_LINES = 100  # which say if a blank follows each comma
_DOUBLE, _SINGLE, _BACKSLASH = '"', "'", "\\"


@dataclass(frozen=True)
class Layout:
    """How one CSV file is written, as DuckDB detects it in the first lines."""

    file: str = field(compare=False)
    names: tuple[str, ...] = field(compare=False)  # DuckDB's column names
    quote: str = field(compare=False)
    escape: str = field(compare=False)
    delimiter: str
    skip: int  # lines above the header
    has_header: bool


class Csv(Format):
    """CSV files, and other text files with a header and one delimiter."""

    name = "csv"
    endings = frozenset({"csv", "tsv"})

    def call(self, request: Request) -> exp.Expr:
        """Return a call of read_csv that fixes the quotes."""
        return _call(request, [], request.columns)

    def open(self, request: Request) -> Source:
        """Return the relation in the layout of the files; without a header, they may be TREC files."""
        session, is_named = request.session, _has_names(request)
        if is_named and request.columns[-1] == FURTHER:
            return _read_item_lists(request)
        layouts = [_layout_of(request)] if is_named else _layouts(request)
        first, width = layouts[0], 6 if request.role.startswith("run") else 4
        if not is_named and all(
            each.delimiter == "\t" and not each.has_header and len(each.names) == width for each in layouts
        ):  # as in MS MARCO
            return Trec().open(request)
        relation = _call(request, layouts, request.columns if is_named else ())
        unnamed, is_doubtful = next((each for each in layouts if not each.has_header), None), False
        if unnamed is None and request.role.startswith(("run", "qrels")) and not request.holds_values:
            is_doubtful = not _has_header(relation, request)
            unnamed = first if is_doubtful else None
        lines = [] if unnamed is None else [*first_lines(unnamed.file, unnamed.skip, 1, session), ""]
        headers = [] if is_named else [each for each in layouts if each.has_header]
        # RecBole writes types after a colon.
        typed = [name for name in first.names if name.endswith((":token", ":float"))]
        source = source_of(
            request,
            relation,
            untyped=True,
            is_named=is_named,
            indented=_indented_columns(first, session),
            headerless=None if is_named else next(iter(lines), None),
            may_have_header=is_doubtful,
            aliases={name.partition(":")[0].casefold(): name for name in typed},
        )
        has_rows(source, session)  # raises what is wrong with the files, such as one that lacks a column
        repeated = [repeated_names(each.names, partial(_first_row, each, session)) for each in headers]
        return replace(source, faults=dict(ChainMap(source.faults, *repeated)))

    def fault(self, request: Request, error: duckdb.Error) -> duckdb.Error:
        """Return DuckDB's error for the first malformed line, if there is one."""
        try:  # if DuckDB detects the types from this line, `error` does not name it
            for layout in [_layout_of(request)] if _has_names(request) else _layouts(request):
                request.session.relation(exp.select(exp.Count(this=exp.Star())).from_(_lines(layout))).fetchall()
        except duckdb.Error as of_line:
            return of_line
        return error


def _has_header(relation: exp.Expr, request: Request) -> bool:
    """Return True if what DuckDB takes for a header has a name that the question uses or is usual, or other types."""
    columns, wanted = request.session.describe(relation), {name.casefold() for name in request.names}
    are_known = any(name.casefold() in wanted or is_usual_name(name.partition(":")[0]) for name in columns)
    are_typed = any(kind.id != "varchar" for kind in columns.values())
    return are_known or (are_typed and not any(map(is_number, columns)))


def _layout_of(request: Request) -> Layout:
    """Return the layout of files without a header: what separates the first line into the columns that were named."""
    names, line = request.columns, request.first_line
    separator = next((each for each in SEPARATORS if len(fields_of(line, each)) == len(names)), None)
    if separator is None:
        width = len(fields_of(line))
        fields = f"the first line of {request.label!r} has {width} {'field' if width == 1 else 'fields'}: {quote(line)}"
        text = f"{spell('columns', ','.join(names))} names {len(names)} columns, but {fields}"
        fix = f"Name each field. If the qrels have other columns than the run, pass {spell('qrels_columns')} too"
        raise ArgumentError(text, argument=request.side, fix=fix)
    return Layout(pattern_of(request.files[0]), tuple(names), _DOUBLE, _DOUBLE, separator, skip=0, has_header=False)


def _has_names(request: Request) -> bool:
    """Return True if the user named the columns, and the first line does not."""
    return bool(request.columns) and not is_header(fields_of(request.first_line), usual=1)


def _indented_columns(csv: Layout, session: DuckDB) -> frozenset[str]:
    """Return the columns in which a blank precedes each value of the first lines, as after commas."""
    rows = first_lines(csv.file, csv.skip + csv.has_header, _FIRST_LINES, session)
    split = [re.sub(' *"[^"]*"', "", row).split(csv.delimiter) for row in rows]  # without values in quotes
    columns = zip(csv.names, zip(*(row for row in split if len(row) == len(csv.names)), strict=True), strict=False)
    return frozenset(name for name, all_of in columns if any(all_of) and all(each[:1] in ("", " ") for each in all_of))


def _layouts(request: Request) -> list[Layout]:
    """Return the layout of each file; raises `duckdb.Error` if DuckDB cannot detect it."""
    side, layouts = request.side, [_sniff(pattern_of(file), request.session) for file in request.files]
    for csv in layouts:
        if csv.quote == _SINGLE:
            fix = "CSV has double quotes only. Write the file with double quotes, or without quotes"
            raise DataError(f"{csv.file!r} has values in single quotes", argument=side, fix=fix)
        # DuckDB detects a single column in a file that has neither a header nor rows.
        if len(csv.names) == 1 and not any(_first_row(csv, request.session)):
            raise DataError(f"{csv.file!r} holds no rows", argument=side, fix="Check the path, or what wrote the file")
        if csv != layouts[0]:
            what = "their delimiter, in the number of lines above the header, or in whether they have a header"
            text = f"the files {layouts[0].file!r} and {csv.file!r} differ in {what}"
            raise DataError(text, argument=side, fix="Write all files in one way")
    return layouts


def _call(request: Request, layouts: Sequence[Layout], names: Sequence[str]) -> exp.Expr:
    named = [trees.option("names", trees.literal(list(names)))] if names else []
    return exp.func("read_csv", request.path, *_options(layouts), *named)


def _options(layouts: Sequence[Layout]) -> list[exp.Expr]:
    """Return the options of read_csv that read files in one layout, and fix the quotes for files not there yet."""
    values: dict[str, str | int] = {
        "quote": _DOUBLE,
        "escape": _BACKSLASH if any(csv.escape == _BACKSLASH for csv in layouts) else _DOUBLE,
        "comment": "",  # otherwise DuckDB drops ids such as #1 if any line looks like a comment
    }
    for first in layouts[:1]:
        values |= {"delim": first.delimiter, "skip": first.skip, "header": first.has_header}
    return [trees.option(name, trees.literal(value)) for name, value in values.items()]


def _first_row(csv: Layout, session: DuckDB) -> list[str]:
    rows = session.relation(exp.select(exp.Star()).from_(_lines(csv)).limit(1)).fetchall()
    return ["" if value is None else str(value).strip() for row in rows for value in row]


def _sniff(file: str, session: DuckDB) -> Layout:
    layout = _detect_layout(file, session)
    # If one line has the wrong number of delimiters, DuckDB detects a single column, or skips the lines up to that one;
    # retry leniently.
    if len(layout.names) == 1 or (layout.skip and not layout.has_header):
        lenient = _detect_layout(file, session, trees.option("ignore_errors", exp.true()))
        layout = max(layout, lenient, key=lambda csv: (csv.has_header, len(csv.names)))
    # DuckDB tries single characters only, and no blanks.
    [name, *others] = layout.names
    if not others and ("::" in name or is_header(fields_of(name, " "))):
        return _detect_layout(file, session, trees.option("delim", trees.literal("::" if "::" in name else " ")))
    return layout


def _detect_layout(file: str, session: DuckDB, *more: exp.Expr) -> Layout:
    columns = ["Columns", "Quote", "Escape", "Delimiter", "SkipRows", "HasHeader"]
    call = exp.func("sniff_csv", trees.literal(file), trees.option("comment", trees.literal("")), *more)
    [(names, *rest)] = session.relation(exp.select(*columns).from_(call)).fetchall()
    return Layout(file, tuple(column["name"] for column in names), *rest)


def _lines(csv: Layout) -> exp.Expr:
    """Return a call that reads every line of a file, the header too, as text."""
    columns = trees.struct(dict.fromkeys(csv.names, "VARCHAR"))
    more = {"auto_detect": exp.false(), "hive_partitioning": exp.false(), "columns": columns}
    arguments = [trees.option(name, value) for name, value in more.items()]
    return exp.func("read_csv", trees.literal(csv.file), *_options([replace(csv, has_header=False)]), *arguments)


def _read_item_lists(request: Request) -> Source:
    """Return lines of a user and of items in rank order or that are relevant, split as the first line is.

    There is a row for each line with a list of items; of an optional input, a row for each item.
    """
    first = [line.strip(" \t\r") for line in request.first_lines(_SEPARATED_BY)]
    # A user without items has a line of a single field.
    separator = next((each for line in first for each in SEPARATORS if each in line), None)
    if separator is None:
        one = f"the first line of {request.label!r} holds one field: {quote(next(iter(first), ''))}"
        text = f"{spell('columns', ','.join(request.columns))} means that a line holds several items, but {one}"
        raise ArgumentError(text, argument=request.side)
    mark = " +" if separator == " " else f"[ \t]*{re.escape(separator)}[ \t]*"
    lines = {"text_lines": lines_of(request.patterns)}
    lists = templates.relations()["item_lists"][""].filled({"separator": mark}, lines)
    items: exp.Expr = trees.column("items")
    if not request.role.startswith(("run", "qrels")):
        items = exp.func("unnest", items)
    key, item, _ = request.columns
    chosen = [exp.alias_(trees.column("key"), key, quoted=True), exp.alias_(items, item, quoted=True)]
    relation = exp.select(*chosen).from_(lists.subquery("lines")).subquery("lists")
    columns = request.session.describe(relation)
    return Source(relation, columns, request.label, untyped=True, is_named=True, watched=request.watched)
