"""Looks at the columns of a run that no argument names: one of them may be a part of the query, or hold models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import Session
from recall_duckdb.errors import DataError, pairs, respelled, spell
from recall_duckdb.reading.columns import Reader
from recall_duckdb.reading.relations import SourceSelect, UnusedColumn
from recall_duckdb.reading.usual_names import PARTITIONS, USUAL_NAMES, without_separators

# What describes the place of a row in its list. It differs between the lists of two models, but names none.
_OF_ROWS = {name for role in ("score", "rank", "relevance") for name in USUAL_NAMES[role]}
_FIRST_ROWS = 100_000  # look for duplicates in the lists of their queries: all lists take too long


def check_unused(columns: Sequence[UnusedColumn], session: Session, *, may_repeat: bool) -> None:
    """Raise `DataError` if a column that no argument names is a part of the query, or holds models.

    Its name decides, or duplicates do. With `may_repeat`, the user says that an item may be in a list more than once.
    """
    found: dict[int, bool] = {}  # by statement, which the columns of a run share
    for column in columns:
        is_partition = column.is_shared and without_separators(column.name) in PARTITIONS
        repeats = [] if is_partition or may_repeat else column.repeats
        found.update({id(each): bool(session.rows(each.copy())) for each in repeats if id(each) not in found})
        if is_partition or any(found[id(each)] for each in repeats):
            _check_column(column, session, is_partition=is_partition)


def _check_column(column: UnusedColumn, session: Session, *, is_partition: bool) -> None:
    """Raise `DataError` if a column splits the lists of queries."""
    lists = {"run_lists": column.run, "qrels_lists": column.qrels}
    nothing = exp.select("*").from_(column.run.subquery("given")).where(exp.false())
    tables: dict[str, exp.Query] = {
        name: nothing if is_partition or rows is None else _first_lists(rows, column.query)
        for name, rows in lists.items()
    }
    tables["run"] = column.run
    statement = _filled("forgotten_columns", tables, column.query, column.has_model, {"is_partition": is_partition})
    rows = session.dicts(statement)
    if rows:
        head = templates.checks()["forgotten_columns"].head
        example = pairs({user: rows[0][name] for name, user in column.query.items()})
        values = " and ".join(pairs({column.name: rows[0][name]}) for name in ("value", "other_value"))
        hidden = ["If all rows"] if column.is_shared else ["If it is", "If it describes"]
        hidden += ["If its values"] if is_partition else []
        ways = [way for way in re.split(r"(?<=\.) ", respelled(head["Do"])) if not way.startswith(tuple(hidden))]
        raise DataError(
            f"{column.label}: {head['Rule'].format(column=repr(column.name))}, for example {example}: {values}",
            fix=" ".join(ways).format(query=column.query_with),
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


def unused_columns(
    run: Reader,
    of_run: SourceSelect,
    judges: Sequence[tuple[Reader, SourceSelect]],
    query: Sequence[tuple[str, str]],
    *,
    is_labelled: bool,
) -> list[UnusedColumn]:
    """Return the columns of a run that no argument names, and that may be a part of the query or hold models."""
    unused = {} if run.source.is_trec else run.unused()
    if not unused:
        return []
    keys = [column.name for column in of_run.names]
    has_model = "model" in keys
    mine, theirs = [list(names) for names in zip(*query, strict=True)]
    users = dict(zip([name for name in keys if name.startswith("query")], mine, strict=True))
    in_run = _repeats([_rows(run, of_run)], users, has_model)
    in_qrels = _repeats([_rows(*judge) for judge in judges], users, False) if judges else None
    columns = []
    for low, name in unused.items():
        shared = [reader.unused().get(low) for reader, _ in judges]
        is_shared = is_labelled or (bool(shared) and None not in shared)
        if not is_shared and without_separators(name) in _OF_ROWS:
            continue
        query_with = spell("query", [name, *mine])
        if mine != theirs:
            query_with += f" and {spell('qrels_query', [shared[0] or name, *theirs])}"
        rows = [_rows(*judge, column) for judge, column in zip(judges, shared, strict=True) if is_shared]
        columns.append(
            UnusedColumn(
                f"{run.side} ({run.source.label})",
                name,
                _rows(run, of_run, name),
                trees.union_all(rows) if rows else None,
                users,
                has_model,
                is_shared,
                query_with,
                [in_run, in_qrels] if rows and in_qrels is not None else [in_run],
            )
        )
    return columns


def _repeats(parts: Sequence[exp.Select], query: Iterable[str], has_model: bool) -> exp.Select:
    lists = _first_lists(trees.union_all(parts), query)
    return _filled("run_duplicates", {"run": lists}, query, has_model)


def _rows(reader: Reader, select: SourceSelect, column: str | None = None) -> exp.Select:
    """Return the rows of a source with their keys and items, and a column as value."""
    read = [each for each in select.names if each.name not in ("score", "rank")]
    read += [] if column is None else [reader.key("by", column, "value")]
    return exp.select(*(exp.alias_(each.expression.copy(), each.name) for each in read)).from_(select.relation.copy())
