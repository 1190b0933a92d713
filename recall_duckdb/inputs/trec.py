"""Reads TREC run and qrels files, whose columns have fixed places."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError
from recall_duckdb.inputs.delimited import CsvFormat

OF_CHECK = ("line", "is_sound")  # columns that only the check trec_lines reads


def has_its_form(files: Sequence[CsvFormat], role: str) -> bool:
    """Return True for files of tabs without a header that have the columns of TREC files, as in MS MARCO."""
    width = 6 if role.startswith("run") else 4
    return bool(files) and all(
        each.delimiter == "\t" and not each.has_header and len(each.names) == width for each in files
    )


def tag(session: DuckDB, relation: exp.Expr) -> str | None:
    """Return the tag in the first line of a TREC run."""
    found = session.rows(exp.select("model").from_(relation.copy()).limit(1))
    return str(found[0][0]) if found else None


def rows(paths: list[str], role: str) -> exp.Expr:
    """Return the rows of TREC files, by the name of the relation that they are."""
    template = templates.relations()["trec_run" if role.startswith("run") else "trec_qrels"][""]
    tree = template.tree()
    trees.bind(tree, {"path": paths})
    return tree.subquery("lines")


def check(session: DuckDB, paths: list[str], side: str, role: str, label: str) -> None:
    """Raise `DataError` where a line is not one of a TREC run or qrels file."""
    wanted, other = ("run", "qrels") if role.startswith("run") else ("qrels", "run")
    line = _unsound_line(session, paths, wanted)
    if line is not None:
        fields = "query Q0 item rank score tag" if wanted == "run" else "query iteration item relevance"
        broken = templates.checks()["trec_lines"]
        rule = broken.head["Rule"].format(side=wanted, form=fields)
        is_other = _unsound_line(session, paths, other) is None
        swapped = f" It has the form of a TREC {other} file. Are run and qrels swapped?" if is_other else ""
        raise DataError(f"{side}: {label!r}: {rule}: {line!r}. {broken.head['Do']}{swapped}")


def _unsound_line(session: DuckDB, paths: list[str], role: str) -> str | None:
    """Return the first line that is not valid in a TREC run or qrels file, None if all are."""
    tree = templates.checks()["trec_lines"].tree()
    for table in list(tree.find_all(exp.Table)):
        table.replace(rows(paths, role))
    found = session.rows(tree.limit(1))
    return str(found[0][0]) if found else None
