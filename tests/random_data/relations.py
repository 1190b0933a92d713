"""Passes the data of a case: as relations with typed columns, in each kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
from reference import Id, Query, Row, read

from random_data.case import Case, DataSet, Relation
from random_data.ids import DECIMAL, NOT_IN_ARROW, SHORT_DECIMAL, typed
from random_data.questions import NEEDS

Columns = dict[str, list[Any]]
Relations = dict[str, Relation | dict[str, Relation]]

_numbers = count()  # of files
_ARROW = {
    **{"TINYINT": pyarrow.int8(), "SMALLINT": pyarrow.int16(), "INTEGER": pyarrow.int32(), "BIGINT": pyarrow.int64()},
    **{"UTINYINT": pyarrow.uint8(), "USMALLINT": pyarrow.uint16(), "UINTEGER": pyarrow.uint32()},
    **{"UBIGINT": pyarrow.uint64(), "FLOAT": pyarrow.float32(), "DOUBLE": pyarrow.float64(), "DATE": pyarrow.date32()},
    **{"BOOLEAN": pyarrow.bool_(), "TIMESTAMP": pyarrow.timestamp("us"), "VARCHAR": pyarrow.string()},
    **{DECIMAL: pyarrow.decimal128(38, 0), SHORT_DECIMAL: pyarrow.decimal128(18, 4)},
}


def drawn(case: Case, metrics: Sequence[str] | None = None) -> tuple[Relations, dict[str, Any]]:
    """Return the relations of a case by argument, and its other arguments, for some of its metrics or for all."""
    names, found = case.names, dict[str, Any](query=list(case.names.query), item=case.names.item)
    relations: Relations = {}
    runs = [_run_columns(case, one) for one in case.data_sets]
    models = dict(zip(names.models, runs, strict=False))
    if case.together == "column":
        found["model"] = names.model
        runs = [{names.model: [name] * len(run[names.item]), **run} for name, run in models.items()]
    if case.together == "scores":
        shared = {name: values for name, values in runs[0].items() if name != names.number}
        runs = [{**shared, **{name: run[names.number] for name, run in models.items()}}]
    if case.together == "runs":
        relations["run"] = {
            name: Relation(f"{names.tables[0]} {place}", run, _types(case, 0))
            for place, (name, run) in enumerate(models.items())
        }
    else:
        relations["run"] = _relation(case, 0, runs)
    if case.shape in ("scores", "labels"):
        found["score"] = list(names.models) if case.together == "scores" else names.number
    if case.shape == "ranks":
        found["rank"] = names.number
    if case.shape == "labels" or case.qrels_as == "rows":
        found["relevance"] = names.relevance
    if case.shape != "labels":
        sets = case.data_sets[:1] if case.are_models else case.data_sets
        relations["qrels"] = _relation(case, 1, [_qrels_columns(case, one, place) for place, one in enumerate(sets)])
        found |= {"qrels_query": list(names.qrels_query), "qrels_item": names.qrels_item}
    if case.by is not None:
        found["by"] = case.by
    return {**relations, **_optional_relations(case, metrics or case.metrics)}, found


def _relation(case: Case, side: int, parts: list[Columns]) -> Relation:
    """Return the run (0) or the qrels (1) from their parts, sometimes with a column that no argument names."""
    columns = {name: [value for one in parts for value in one[name]] for name in parts[0]}
    types, unused = _types(case, side), case.names.unused[side]
    if unused is not None:
        length = len(next(iter(columns.values())))
        columns, types = {unused: [place % 3 for place in range(length)], **columns}, {unused: "INTEGER", **types}
    return Relation(case.names.tables[side], columns, types)


def _types(case: Case, side: int) -> dict[str, str]:
    """Return the types of the columns that the run (0) or the qrels (1) may have."""
    names, kind = case.names, case.items.types[side]
    query, item = ((names.query, names.item), (names.qrels_query, names.qrels_item))[side]
    found = {**dict.fromkeys(query, case.queries.types[side]), item: kind}
    if case.together == "key":
        found[query[0]] = "BIGINT"
    if side == 1:
        kinds = {"rows": kind, "lists": f"{kind}[]", "maps": f"MAP({kind}, {case.relevance_type})"}
        return {**found, names.relevance: case.relevance_type, names.group: "BIGINT", item: kinds[case.qrels_as]}
    found |= {names.model: "VARCHAR"}
    found |= dict.fromkeys([names.number, *(names.models if case.together == "scores" else [])], case.number_type)
    if case.shape == "lists":
        found[item] = f"{kind}[]"
    return {**found, names.relevance: case.relevance_type} if case.shape == "labels" else found


def _run_columns(case: Case, one: DataSet) -> Columns:
    names = case.names
    if case.shape == "lists":
        lists = in_rank_order(one.run)
        return {**_keys(names.query, lists), names.item: list(lists.values())}
    rows = ranked(case, one.run) if case.shape == "ranks" else passed_scores(case.policies, one.run)
    columns = _columns(names.query, names.item, rows, names.number)
    if case.shape == "labels":
        labels = {row[:2]: row[2] for row in one.qrels}
        columns[names.relevance] = [labels[row[:2]] for row in one.run]
    return columns


def _qrels_columns(case: Case, one: DataSet, place: int) -> Columns:
    names = case.names
    if case.qrels_as == "rows":
        columns = _columns(names.qrels_query, names.qrels_item, one.qrels, names.relevance)
        return {**columns, names.group: [place] * len(one.qrels)} if case.together == "group" else columns
    held: dict[Query, dict[Id | None, float | None]] = {}
    for query, item, grade in one.qrels:
        held.setdefault(query, {})[item] = grade
    lists = [items if case.qrels_as == "maps" else list(items) for items in held.values()]
    return {**_keys(names.qrels_query, held), names.qrels_item: lists}


def passed_scores(policies: Mapping[str, Any], rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of a run with the scores to pass, which are negative if low scores come first."""
    if policies.get("order") != "ascending":
        return rows
    return [(query, item, None if score is None else -score) for query, item, score in rows]


def ranked(case: Case, rows: Sequence[Row]) -> list[Row]:
    """Return the rows with ranks instead of scores; they skip numbers if the policy `ranks` allows it."""
    found: list[Row] = []
    for query, items in in_rank_order(rows).items():
        ranks: Sequence[int] = range(1, len(items) + 1)
        if case.policies.get("ranks") == "renumber":
            ranks = range(1, 3 * len(items) + 1, 3)
        elif case.policies.get("ranks") == "given":
            random = Random(f"{case.number}:{query}")
            ranks = sorted(random.sample(range(1, len(items) + random.choice([1, 2, 8, 200])), len(items)))
        found += [(query, item, rank) for item, rank in zip(items, ranks, strict=True)]
    return found


def in_rank_order(rows: Sequence[Row]) -> dict[Query, list[Id | None]]:
    """Return the items of every query, best first."""
    lists: dict[Query, list[Id | None]] = {}
    for query, item, _ in sorted(rows, key=lambda row: -float(row[2] or 0)):
        lists.setdefault(query, []).append(item)
    return lists


def _optional_relations(case: Case, metrics: Sequence[str]) -> dict[str, Relation]:
    """Return the optional inputs that these metrics need, and those that any metric may have."""
    optional, query, item = case.optional, case.names.query, case.names.item
    needed = {NEEDS.get(read(name).metric) for name in metrics}
    found: dict[str, Columns] = {}
    for name, pairs in (("exclude", optional.exclude), ("training", optional.training)):
        if pairs and (name == "exclude" or name in needed):
            rows = sorted(pairs, key=repr)
            found[name] = {**_keys(query, [key for key, _ in rows]), item: [own for _, own in rows]}
    if optional.items is not None:
        found["items"] = {item: sorted(optional.items, key=repr)}
    if optional.weights is not None:
        found["weights"] = {**_keys(query, optional.weights), "weight": list(optional.weights.values())}
    if optional.catalog and "catalog" in needed:
        found["catalog"] = {item: sorted(optional.catalog, key=repr)}
    if optional.features and "features" in needed:
        held = [(own, name, weight) for own, names in optional.features.items() for name, weight in names.items()]
        found["features"] = dict(zip((item, "feature", "weight"), map(list, zip(*held, strict=True)), strict=True))
    if optional.similarities and "pairs" in needed:
        both = [(one, other, number) for (one, other), number in optional.similarities.items()]
        found["pairs"] = dict(zip((item, "other", "similarity"), map(list, zip(*both, strict=True)), strict=True))
    types = {**_types(case, 0), item: case.items.types[0], "other": case.items.types[0], "feature": "VARCHAR"}
    types |= {"weight": "DOUBLE", "similarity": "DOUBLE"}
    return {name: Relation(f"{case.names.tables[0]} {name}", columns, types) for name, columns in found.items()}


def _keys(names: Sequence[str], queries: Iterable[Query]) -> Columns:
    return {name: [query[place] for query in queries] for place, name in enumerate(names)}


def _columns(query: Sequence[str], item: str, rows: Sequence[Row], number: str) -> Columns:
    keys = _keys(query, [key for key, _, _ in rows])
    return {**keys, item: [own for _, own, _ in rows], number: [value for _, _, value in rows]}


def shuffled(relation: Relation | dict[str, Relation], random: Random) -> Any:
    """Return a relation, or each relation of a dict, with its rows in another order."""
    if isinstance(relation, dict):
        return {name: shuffled(each, random) for name, each in relation.items()}
    order = list(range(len(next(iter(relation.columns.values())))))
    random.shuffle(order)
    columns = {name: [values[place] for place in order] for name, values in relation.columns.items()}
    return Relation(relation.name, columns, relation.types)


def quoted(name: str) -> str:
    """Return the name of a column or table in SQL."""
    return '"' + name.replace('"', '""') + '"'


class Passing:
    """Passes relations as one kind of source, and removes them."""

    def __init__(self, source: str, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self.source, self.connection, self.folder = source, connection, folder
        self.tables: list[str] = []
        self.written: list[Path] = []

    def given(self, relation: Relation | dict[str, Relation]) -> Any:
        """Return what to pass as an argument."""
        if isinstance(relation, dict):
            return {name: self.given(each) for name, each in relation.items()}
        if self.source == "dict":
            return dict(relation.columns)
        types = relation.types
        arrays = {
            name: pyarrow.array([typed(value, types[name]) for value in values], _arrow_type(types[name]))
            for name, values in relation.columns.items()
        }
        frame = pyarrow.table(arrays)
        if self.source == "arrow":
            return frame
        columns = [f"CAST({quoted(name)} AS {types[name]}) AS {quoted(name)}" for name in relation.columns]
        selected = f"SELECT {', '.join(columns)} FROM frame"
        if self.source == "parquet":
            path = self.folder / f"{next(_numbers)}.parquet"  # DuckDB 1 may keep parts of a file that is written again
            self.written.append(path)
            if any(name in kind for name in NOT_IN_ARROW for kind in types.values()):
                self.connection.sql(selected).write_parquet(str(path))
            else:
                pyarrow.parquet.write_table(frame, path)
            return path
        self.connection.execute(f"CREATE TABLE {quoted(relation.name)} AS {selected}")
        self.tables.append(quoted(relation.name))
        return relation.name

    def remove(self) -> None:
        """Remove the tables and files that were passed."""
        for name in self.tables:
            self.connection.execute(f"DROP TABLE {name}")
        for path in self.written:
            path.unlink()


def _arrow_type(kind: str) -> Any:
    if kind.endswith("[]"):
        return pyarrow.list_(_arrow_type(kind[:-2]))
    if kind.startswith("MAP("):
        return pyarrow.map_(*(_arrow_type(each) for each in kind[4:-1].split(", ")))
    return _ARROW.get(kind, pyarrow.string())
