"""The columns of one source: found by name, and of types that can be compared with those of the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions.trees import Column, as_given, identifier, literal
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    UnknownNameError,
    apart,
    commas,
    nearest_name,
    told,
)
from recall_duckdb.inputs.sources import Source
from recall_duckdb.inputs.usual_names import USUAL_NAMES, without_separators

_FAMILIES = {
    "whole number": (
        *("tinyint", "smallint", "integer", "bigint", "hugeint"),
        *("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"),
    ),
    "number": ("float", "double", "decimal"),
    "text": ("varchar", "enum", "json"),
    "list": ("list", "array"),
    "unknown": ("null", "sqlnull"),
}
NUMBERS = ("whole number", "number", "unknown")


def family_of(kind: Any) -> str:
    """Return the family of a DuckDB type: one of the above, or the type itself; 'unknown' matches any."""
    if kind is None:
        return "unknown"
    return next((name for name, kinds in _FAMILIES.items() if kind.id in kinds), str(kind.id))


def numbered(name: str, count: int) -> list[str]:
    """Return the canonical names of `count` columns that stand for one.

    >>> numbered("query", 1), numbered("query", 2)
    (['query'], ['query_1', 'query_2'])
    """
    return [name] if count == 1 else [f"{name}_{number}" for number in range(1, count + 1)]


# Columns with fixed names in the optional inputs.
_FIXED = ("weight", "feature", "other", "similarity")


class Reader:
    """Finds the user's columns in one source, and says what is wrong where they are not as they should be."""

    def __init__(self, source: Source, side: str, named: Iterable[str] = ()) -> None:
        self.source, self.side = source, side
        self._named = {name.casefold() for name in named}  # columns that other arguments use: do not suggest these
        self._casts: dict[str, str] = {}
        self._texts: dict[str, str] = {}  # with ids='text', by column: the type to cast ids to; '' for shortest text
        self._no_numbers: dict[str, str] = {}  # by CSV column: its first value that is not a number

    def has(self, name: str) -> bool:
        """Return True if the source has the column, or if its columns are unknown."""
        return self.source.columns is None or self._found(name) is not None

    def _found(self, name: str) -> str | None:
        columns = self.source.columns or {}
        if self.source.elsewhere and name in columns:  # other engines have case-sensitive names
            return name
        alike = self.source.spellings.get(name.casefold(), [])
        if not alike or alike[0] == name:
            return alike[0] if alike else None
        # DuckDB reads the first one; in files and frames it renames the others to score_1, score_2, …
        if not self.source.elsewhere:
            alike = [*alike, *self.source.copies.get(name.casefold(), [])]
        if len(alike) > 1 and self.source.elsewhere:
            raise ArgumentError(
                f"{self.side} ({self.source.label}): the columns {commas(alike)} may all be {name!r}: pass the name "
                "of one as it is written there"
            )
        if len(alike) > 1:
            raise ArgumentError(
                f"{self.side} ({self.source.label}): the columns {commas(alike)} may all be {name!r}, and DuckDB does "
                "not distinguish names that differ only in case. Rename the other, or pass "
                f"{alike[0]!r} if that column is meant"
            )
        return alike[0]

    def name(self, argument: str, name: str) -> str:
        """Return the column's name as the source spells it."""
        if self.source.is_trec:
            name = argument.removeprefix("qrels_")
        if self.source.columns is None:
            return name
        found = self._found(name)
        if found is None and not self.source.has_header:
            names = "query, item and relevance" if self.side == "qrels" else "query, item and score (or rank)"
            raise UnknownNameError(
                f"{self.side} ({self.source.label}) has no header, so its columns have no names. Write names in a "
                f"first line, such as {names}. Files of tabs in TREC's form need none: 4 columns for qrels, 6 for a run"
            )
        if found is None:
            said = "" if argument in _FIXED else f" ({told(argument)})"
            raise UnknownNameError(
                f"{self.side} ({self.source.label}) has no column {name!r}{said}.{self.hint(argument, name)} "
                f"Its columns: {commas(self.source.columns)}"
            )
        if found in self.source.overridden:
            raise DataError(
                f"{self.side} ({self.source.label}): the column {found!r} of the file has the name of the directory "
                f"{self.source.overridden[found]!r} in its path, whose value DuckDB would read instead. Rename the "
                "directory, or the column in the file"
            )
        if found in self.source.repeated:
            raise DataError(
                f"{self.side} ({self.source.label}): several columns are named {found!r}. Rename or remove the others"
            )
        return found

    def hint(self, argument: str, name: str) -> str:
        """Return a hint at what to pass instead of a missing column."""
        meant = self._meant(argument, name)
        if argument in _FIXED or not self.side.startswith(("run", "qrels")):  # no argument names this column only here
            return "" if meant is None else f" Rename its column {meant!r} to {name!r}."
        if argument.removeprefix("qrels_") in ("query", "score") and (several := apart(argument, name)):
            return several
        if argument == "score" and meant is None and (rank := self._meant("rank", "rank")) is not None:
            return f" Did you mean {told('rank', rank)}?"
        said = "" if meant is None else f" Did you mean {told(argument, meant)}?"
        if argument == "score":
            return f"{said} If it holds ranks instead, name their column ({told('rank')})."
        if argument == "relevance" and self.side == "qrels" and name.casefold() in ("relevance", "none"):
            return f"{said} If every row of the qrels is relevant, pass {told('relevance', None)}."
        return said

    def _meant(self, argument: str, name: str) -> str | None:
        """Return the column that the user probably meant, by spelling or by common name; None if there is none."""
        free = [own for own in self.source.columns or () if own.casefold() not in self._named]
        usual = USUAL_NAMES.get(argument.removeprefix("qrels_"), ())
        alike = {without_separators(own): own for own in reversed(free)}
        known = next((alike[each] for each in usual if each in alike), None)
        # Prefer common names if the user kept the default name.
        return known or nearest_name(name, free) if name in usual[:1] else nearest_name(name, free) or known

    def kind(self, name: str) -> Any:
        """DuckDB's type of a column; None where the columns are not known."""
        return None if self.source.columns is None else self.source.columns[name]

    def family(self, argument: str, name: str) -> str:
        """Return the family of a column's type."""
        return family_of(self.kind(self.name(argument, name)))

    def read_as(self, name: str, text: str) -> None:
        """Cast the ids of a column, be they in lists or maps, to a type."""
        self._casts[name] = _holding(text, self.kind(name))

    def read_as_text(self, name: str) -> None:
        """Read the ids of a column as text; numbers as their shortest text, so that 1.0 is "1"."""
        kind = self.kind(name)
        family = family_of(element_of(kind))
        if family == "number" and family_of(kind) in ("list", "map"):
            raise ArgumentTypeError(
                f"{self.side} ({self.source.label}): column {name!r} holds lists or maps of {element_of(kind)}, which "
                "cannot be read as text. Cast them to whole numbers"
            )
        if family == "number":
            self._texts[name] = ""
        elif family != "text":
            self._texts[name] = _holding("VARCHAR", kind)

    def key(self, argument: str, name: str, canonical: str) -> Column:
        """Return a column as it is, except for casts that make ids comparable."""
        name = self.name(argument, name)
        self._check_files(argument, name)
        composite = ("struct", "union") if argument in ("item", "qrels_item") else ("struct", "union", "list", "map")
        if family_of(self.kind(name)) in composite:
            raise ArgumentTypeError(
                f"{self.side} ({self.source.label}): column {name!r} ({told(argument)}) is of type {self.kind(name)}, "
                "but it must hold single values. Name another column, or take the value out of this one"
            )
        expression: exp.Expr = exp.Column(this=as_given(name) if self.source.columns is None else identifier(name))
        kind = self.kind(name)
        is_uuid = self._is_uuid_elsewhere(kind)
        text = None if argument == "by" else self._texts.get(name)
        cast = text or self._casts.get(name)
        if text == "":
            expression = _shortest_text(expression)
        elif cast is not None:
            expression = exp.cast(expression, cast, dialect="duckdb")
        elif str(kind) == "JSON":  # it writes the text 'x' as "x"
            expression = exp.func("json_extract_string", expression, literal("$"))
        elif is_uuid or (kind is not None and kind.id == "enum"):
            # An enum sorts by the order of its values, not as text. PostgreSQL has no max() of a UUID,
            expression = exp.cast(expression, "VARCHAR")
        elif self.source.elsewhere and family_of(kind) == "boolean" and argument != "relevance":  # nor of a boolean
            expression = as_number(expression)
        is_text = is_uuid or text == "" or (cast or family_of(kind)) in ("VARCHAR", "text")
        is_text = is_text and str(kind) != "JSON"
        if self.source.may_collate and is_text and kind is not None:  # under NOCASE, 'a' and 'A' would be one id
            expression = exp.Collate(this=expression, expression=exp.to_identifier("binary", quoted=True))
        return Column(expression, canonical)

    def key_type(self, name: str) -> str:
        """Return the type as which `key` reads a column of ids."""
        kind = element_of(self.kind(name))
        if family_of(kind) == "text" or self._is_uuid_elsewhere(kind):
            return "VARCHAR"
        return "INTEGER" if self.source.elsewhere and family_of(kind) == "boolean" else str(kind)

    def _is_uuid_elsewhere(self, kind: Any) -> bool:
        return self.source.elsewhere and family_of(kind) == "uuid"

    def is_blank(self, name: str) -> bool:
        """Return True if a column has no value, so that its type means nothing."""
        return name in self.source.blank or (self.source.elsewhere and family_of(self.kind(name)) == "unknown")

    def _check_files(self, argument: str, name: str) -> None:
        """Refuse files that hold a column as different things, which DuckDB would make one, or do not hold it."""
        held: dict[str, str] = {}
        for file, types in self.source.types_in_files.items():
            kind = types.get(name.casefold())
            if kind is None and not any(part.startswith(f"{name}=") for part in Path(file).parts):
                raise DataError(
                    f"{self.side}: the file {file!r} has no column {name!r} ({told(argument)}), which other files of "
                    f"{self.source.label!r} have. Leave the file out, or write it again with the column"
                )
            family = family_of(element_of(kind))
            if argument in ("score", "relevance", "rank") and family in (*NUMBERS, "boolean"):
                continue
            if family != "unknown":
                held.setdefault(f"{family_of(kind)} of {family}", file)
        if len(held) > 1:
            (one, other), kinds = list(held.values())[:2], self.source.types_in_files
            raise DataError(
                f"{self.side}: files differ in the type of column {name!r} ({told(argument)}): it is "
                f"{kinds[one].get(name.casefold())} in {one!r}, {kinds[other].get(name.casefold())} in {other!r}. "
                "Write them again with one type"
            )

    def number(self, argument: str, name: str, families: tuple[str, ...], rule: str) -> Column:
        """Return a column whose type is one of `families`."""
        if self.family(argument, name) not in families:
            own = self.name(argument, name)
            other = self._no_numbers.get(own)
            held = f"is of type {self.kind(own)}" if other is None else f"holds {other!r}"
            fix = "cast this one" if other is None else "correct the value"
            raise ArgumentTypeError(
                f"{self.side} ({self.source.label}): column {name!r} ({told(argument)}) {held}, but {rule}. "
                f"Name another column, or {fix}"
            )
        column = self.key(argument, name, argument)
        if self.source.columns is not None and self.source.elsewhere and self.family(argument, name) == "unknown":
            # It has no value. A cast of its type to a number may fail, but a cast to text never does.
            return column._replace(expression=exp.cast(column.expression, "VARCHAR"))
        return column

    def untyped_as(self, ids: Mapping[str, str], numbers: Sequence[str], session: Session) -> None:
        """Read a file without types (CSV) so that ids stay text: "007" and "7" are two items.

        In JSON, text is text, even where it looks like a date, and a number may have decimals further down.
        """
        if not (self.source.untyped or self.source.is_json) or self.source.columns is None:
            return
        types = {self.name(argument, name): "VARCHAR" for name, argument in ids.items()}
        if self.source.is_json:
            types = {own: text for own in types if (text := _as_text(self.kind(own))) is not None}
        held = [own for own in map(self._found, numbers) if own is not None and own not in types]
        types |= {own: "DOUBLE" for own in held if self._is_number(own, session)}
        if types:
            self.source = self.source.typed(types)

    def _is_number(self, own: str, session: Session) -> bool:
        """Return True if a column of a file without types holds only numbers, which may be infinite."""
        family = family_of(self.kind(own))
        if family in NUMBERS or family == "boolean" or not (self.source.untyped and isinstance(session, DuckDB)):
            return family in NUMBERS
        other = _no_number(self.source, own, session)
        if other is not None:
            self._no_numbers[own] = other
        return other is None


def _holding(element: str, kind: Any) -> str:
    """Return the type of a column of elements, or of lists of elements or maps from them if its type holds such."""
    return {"list": f"{element}[]", "map": f"MAP({element}, DOUBLE)"}.get(family_of(kind), element)


def as_number(condition: exp.Expr) -> exp.Case:
    """Return a column of booleans as 1 and 0."""
    no = exp.Not(this=condition.copy())
    return exp.Case(ifs=[exp.If(this=condition, true=literal(1)), exp.If(this=no, true=literal(0))])


def _shortest_text(number: exp.Expr) -> exp.Case:
    """Return a number as text, without decimals if it is a whole number."""
    whole = exp.cast(number.copy(), "BIGINT")
    # Above 2^53, not every whole number is a DOUBLE.
    is_whole = exp.and_(
        exp.EQ(this=number, expression=exp.Floor(this=number.copy())),
        exp.Between(this=number.copy(), low=literal(-(2**53)), high=literal(2**53)),
    )
    text = exp.cast(number.copy(), "VARCHAR")
    return exp.Case(ifs=[exp.If(this=is_whole, true=exp.cast(whole, "VARCHAR"))], default=text)


def _as_text(kind: Any) -> str | None:
    """Return the text type for a type that DuckDB guessed from text in JSON, None for other types."""
    if family_of(kind) == "list":
        inner = _as_text(element_of(kind))
        return None if inner is None else f"{inner}[]"
    return None if family_of(kind) in ("whole number", "number", "boolean", "map", "struct", "unknown") else "VARCHAR"


def element_of(kind: Any) -> Any:
    """Return the type of the ids in a column of ids, lists of ids or maps from ids."""
    if family_of(kind) == "list":
        return dict(kind.children)["child"]
    return dict(kind.children)["key"] if family_of(kind) == "map" else kind


def _no_number(source: Source, column: str, session: DuckDB) -> str | None:
    """Return the first value of a CSV column that is no number; -inf is one, though DuckDB reads it as text."""
    own = exp.Column(this=identifier(column))
    number = exp.TryCast(this=own.copy(), to=exp.DataType.build("DOUBLE"))
    is_other = exp.and_(
        exp.Is(this=number, expression=exp.null()), exp.Not(this=exp.Is(this=own, expression=exp.null()))
    )
    relation = source.typed({column: "VARCHAR"}).relation
    rows = session.rows(exp.select(exp.alias_(own.copy(), "found")).from_(relation).where(is_other).limit(1))
    return str(rows[0][0]) if rows else None
