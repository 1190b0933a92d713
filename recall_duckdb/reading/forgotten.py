"""Looks at the columns of a run that no argument names: one of them may be a part of the query, or hold models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import Session
from recall_duckdb.errors import DataError, pairs, respelled, spell
from recall_duckdb.reading.columns import Reader
from recall_duckdb.reading.source import SourceSelect
from recall_duckdb.reading.usual_names import PARTITIONS, is_usual_name, without_separators

# What describes the place of a row in its list. It differs between the lists of two models, but names none.
_OF_ROWS = ("score", "rank", "relevance")
_FIRST_ROWS = 100_000  # look for duplicates in the lists of their queries: all lists take too long


def check_unused(
    run: Reader,
    of_run: SourceSelect,
    judges: Sequence[tuple[Reader, SourceSelect]],
    query: Sequence[tuple[str, str]],
    session: Session,
    *,
    is_labelled: bool,
    may_repeat: bool,
) -> None:
    """Raise `DataError` if a column of a run that no argument names is a part of the query, or holds models.

    Its name decides, or duplicates do. With `may_repeat`, the user says that an item may be in a list more than once.
    """
    unused = {} if run.source.is_canonical else run.unused()
    if not unused:
        return
    keys = [column.name for column in of_run.names]
    users = dict(zip([name for name in keys if name.startswith("query")], [mine for mine, _ in query], strict=True))
    has_model = "model" in keys

    @cache
    def have_copies() -> bool:
        """Return True if a list among the first ones of a side holds an item twice."""
        sides = [([(run, of_run)], has_model), (judges, False)]
        lists = [(trees.union_all([_rows(*each) for each in side]), model) for side, model in sides if side]
        filled = (_filled("run_duplicates", {"run": _first_lists(rows, users)}, users, model) for rows, model in lists)
        return any(session.rows(statement) for statement in filled)

    for low, name in unused.items():
        shared = [reader.unused().get(low) for reader, _ in judges]
        is_shared = is_labelled or (bool(shared) and None not in shared)
        is_partition = is_shared and without_separators(name) in PARTITIONS
        is_of_rows = not is_shared and is_usual_name(name, *_OF_ROWS)
        if is_of_rows or not (is_partition or (not may_repeat and have_copies())):
            continue
        rows = _rows(run, of_run, name)
        tables = {"run": rows, "run_lists": _first_lists(rows, users)}
        both = [_rows(*judge, column) for judge, column in zip(judges, shared, strict=True)] if is_shared else []
        tables["qrels_lists"] = _first_lists(trees.union_all(both or [rows]), users)
        if is_partition or not both:
            tables["qrels_lists"] = tables["qrels_lists"].where(exp.false())
        statement = _filled("forgotten_columns", tables, users, has_model, {"is_partition": is_partition})
        for row in session.dicts(statement):
            query_with, theirs = spell("query", [name, *users.values()]), [name for _, name in query]
            if theirs != [*users.values()]:
                query_with += f" and {spell('qrels_query', [next(iter(shared), None) or name, *theirs])}"
            example = pairs({user: row[key] for key, user in users.items()})
            shown = " and ".join(pairs({name: row[key]}) for key in ("value", "other_value"))
            head = templates.checks()["forgotten_columns"].head
            rule = head["Rule"].format(column=repr(name))
            hidden = ["If all rows"] if is_shared else ["If it is", "If it describes"]
            hidden += ["If its values"] if is_partition else []
            ways = [way for way in re.split(r"(?<=\.) ", respelled(head["Do"])) if not way.startswith(tuple(hidden))]
            raise DataError(
                f"{run.side} ({run.source.label}): {rule}, for example {example}: {shown}",
                fix=" ".join(ways).format(query=query_with),
            )


def _first_lists(rows: exp.Query, query: Iterable[str]) -> exp.Select:
    """Return the rows of the queries that the first rows have."""
    first = exp.select(*query).from_(rows.subquery("given")).limit(_FIRST_ROWS)
    queries = exp.select(*query).distinct().from_(first.subquery("first_rows"))
    return exp.select("*").from_(rows.subquery("given")).join(queries.subquery("queries"), using=[*query])


def _filled(
    check: str,
    tables: Mapping[str, exp.Query],
    query: Iterable[str],
    has_model: bool,
    values: Mapping[str, trees.Value] | None = None,
) -> exp.Select:
    """Return the statement of a check that reads these relations, for the first row that it finds."""
    tree = templates.checks()[check].tree()
    trees.bind(tree, values or {})
    copies: dict[str, list[trees.Copy]] = {"query": [({"query": name}, {}) for name in query]}
    trees.repeat(tree, copies if has_model else {**copies, "model": []})
    for table in trees.find(tree, exp.Table):
        table.replace(tables[table.name].copy().subquery(table.name))
    return tree.limit(1)


def _rows(reader: Reader, select: SourceSelect, column: str | None = None) -> exp.Select:
    """Return the rows of a source with their keys and items, and a column as value."""
    read = [each for each in select.names if each.name not in ("score", "rank")]
    read += [] if column is None else [reader.key("by", column, "value")]
    relation = (None if column is None else trees.mark_of(reader.source.relation, "files")) or select.relation
    return exp.select(*(exp.alias_(each.expression.copy(), each.name) for each in read)).from_(relation.copy())
