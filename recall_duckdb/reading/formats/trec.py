"""Reads TREC run and qrels files, whose columns have fixed places."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import templates
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError, digits, quote, spell
from recall_duckdb.reading.formats.base import Format, Request, lines_of, place_of
from recall_duckdb.reading.source import Source

_OF_CHECK = ("line", "is_sound", "iteration", "rank")  # columns that no metric reads
_FIELDS = {"run": "query Q0 item rank score tag", "qrels": "query iteration item relevance"}
_LARGEST_GRADE = 127  # above it, a fourth field is a time or a count
_NAME = re.compile(r"(^|[^a-z])qrels?([^a-z]|$)|\.(trec|run)(\.gz|\.zst)?$", re.IGNORECASE)


class Trec(Format):
    """TREC runs and qrels. Their names may end in any way, if their lines leave no doubt."""

    name = "text"

    def call(self, request: Request) -> exp.Expr:
        """Return the query that splits the lines of the files."""
        return _rows(request, _kind(request)).subquery("lines")

    def open(self, request: Request) -> Source:
        """Return the relation, after a check of all lines."""
        if request.holds_values:  # judgements have numbers too
            raise _headerless(request)
        session, kind, relation = request.session, _kind(request), self.call(request)
        if request.must_exist:  # the statement of `sql` reads the file
            relation = session.store_files(relation, ["* EXCLUDE (line)"])
        form = _form(session, kind, exp.select("*").from_(relation.copy()))
        columns = {name: kind for name, kind in session.describe(relation).items() if name not in _OF_CHECK}
        if form["sound_lines"] < form["line_count"]:
            raise _line_error(request, form)
        if (reason := _doubt(request, form)) is not None:
            raise _headerless(request, f"is no TREC file: {reason}")
        return Source(
            relation,
            columns,
            request.label,
            blank=frozenset() if form["line_count"] else frozenset(columns),
            untyped=True,
            is_canonical=True,
            tags=tuple(sorted(filter(None, {form.get("first_tag"), form.get("last_tag")}))),
            remarks=_remarks(request, form),
            watched=request.watched,
        )


def _headerless(request: Request, why: str = "") -> DataError:
    return DataError(advice.files.headerless(request.side, request.label, request.first_line, why=why))


def _remarks(request: Request, form: dict[str, Any]) -> dict[str, str]:
    """Return that ranks and scores of a run disagree, by the order of scores in which they do."""
    return {
        order: f"{request.side} ({request.label}): ranks are ignored, but in "
        f"{'1 list' if lists == 1 else f'{lists:,} lists'} the first rank does not have the {first} score, or all "
        f"scores are equal, for example query={quote(form[f'disordered_{kind}query'])}"
        for order, first, kind in (("descending", "highest", ""), ("ascending", "lowest", "ascending_"))
        if (lists := form.get(f"disordered_{kind}lists"))
    }


def _doubt(request: Request, form: dict[str, Any]) -> str | None:
    """Return why files may not be TREC files; None if their names, or all lines, say that they are."""
    if all(_NAME.search(Path(path).name) for path in request.paths):
        return None
    if form["first_iteration"] != form["last_iteration"]:
        values = f"{quote(form['first_iteration'])} and {quote(form['last_iteration'])}"
        return f"its second field has several values, such as {values}"
    if (form.get("largest_number") or 0) > _LARGEST_GRADE:
        return f"its fourth field holds {digits(form['largest_number'])}, which is no relevance"
    return None


def _rows(request: Request, kind: str) -> exp.Select:
    """Return the rows of TREC files of a kind, run or qrels."""
    return templates.relations()[f"trec_{kind}"][""].filled({}, {"text_lines": lines_of(request.patterns)})


def _kind(request: Request) -> str:
    return "run" if request.role.startswith("run") else "qrels"


def _form(session: DuckDB, kind: str, lines: exp.Select) -> dict[str, Any]:
    """Return what the lines of a file have in common; the columns of `trec_form`."""
    return session.dicts(templates.relations()["trec_form"][kind].filled({}, {"lines": lines}))[0]


def _line_error(request: Request, form: dict[str, Any]) -> DataError:
    """Return the error for files in which a line is not one of a TREC run or qrels file."""
    kind, session = _kind(request), request.session
    broken = templates.checks()["trec_lines"]
    [(line,)] = session.rows(broken.filled({}, {"lines": _rows(request, kind)}).limit(1))
    file, number = place_of(str(line), request)
    where = f"{request.side}: {quote(file)}, line {number}"
    if str(line).lstrip().startswith("#"):
        argument = "columns" if kind == "run" else "qrels_columns"
        text = f"{where}: a comment has the form of a TREC {kind} file: {quote(line)}"
        columns = spell(argument, _FIELDS[kind].replace(" ", ","))
        return DataError(text, fix=f"Delete it or, if the id of the query begins with #, name the columns: {columns}")
    other = "qrels" if kind == "run" else "run"
    of_other = _form(session, other, _rows(request, other))
    is_other = of_other["sound_lines"] == of_other["line_count"]
    commas = [field for field in str(line).split()[1:] if re.fullmatch(r"[+-]?\d+,\d+", field)]
    are_named = all(_NAME.search(Path(path).name) for path in request.paths)
    if not (commas or is_other or form["sound_lines"] or are_named):
        return _headerless(request, f"has no lines of {_FIELDS[kind]}")
    rule = broken.head["Rule"].format(side=kind, form=_FIELDS[kind])
    if commas:
        fix = f"{quote(commas[0])} has a decimal comma: write {quote(commas[0].replace(',', '.'))}"
        return DataError(f"{where}: {rule}: {quote(line)}", fix=fix)
    swapped = f" It has the form of a TREC {other} file: pass it as the {other}" if is_other else ""
    return DataError(f"{where}: {rule}: {quote(line)}", fix=f"{broken.head['Do']}{swapped}")
