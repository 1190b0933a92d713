"""The columns of one source: found by name, and of types that can be compared with those of the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import functions, templates
from recall_duckdb.definitions.trees import Column, as_given, identifier, literal
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, RecallError, apart, commas, spell
from recall_duckdb.reading.files import unchanged
from recall_duckdb.reading.source import Source
from recall_duckdb.reading.usual_names import as_score, is_usual_name, is_usual_of_lists

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
COMPOSITE = ("struct", "union", "list", "map")  # what is no single value
FIXED = ("weight", "feature", "other", "similarity", "unit")  # columns with fixed names in the optional inputs
OF_NUMBERS = ("score", "rank", "relevance", "weight", "similarity")  # columns of numbers, which are no ids
MAP = "MAP(VARCHAR, DOUBLE)"
_SHORTEST, _WHOLE = "shortest text", "whole number"  # how to read ids of numbers, other than by a cast
# What an index writes at the end of a short list instead of -1, in unsigned types; small types have no room for it.
_PADDING = {"utinyint": None, "usmallint": None, "uinteger": 2**32 - 1, "ubigint": 2**64 - 1, "uhugeint": None}


def family_of(kind: Any) -> str:
    """Return the family of a DuckDB type: one of the above, or the type itself; 'unknown' matches any."""
    if kind is None:
        return "unknown"
    return next((name for name, kinds in _FAMILIES.items() if kind.id in kinds), str(kind.id))


def element_of(kind: Any) -> Any:
    """Return the type of the ids in a column of ids, lists of ids or maps from ids."""
    part = {"list": "child", "map": "key"}.get(family_of(kind))
    return kind if part is None else dict(kind.children)[part]


def canonical_names(name: str, count: int) -> list[str]:
    """Return the canonical names of `count` columns that stand for one.

    >>> canonical_names("query", 1), canonical_names("query", 2)
    (['query'], ['query_1', 'query_2'])
    """
    return [name] if count == 1 else [f"{name}_{number}" for number in range(1, count + 1)]


def users_names(query: Sequence[str], by: Sequence[str] = ()) -> dict[str, str]:
    """Return the user's names of the columns of queries and slices, by canonical name.

    >>> users_names(["user_id"], ["country", "device"])
    {'query': 'user_id', 'slice_1': 'country', 'slice_2': 'device'}
    """
    ours = [*canonical_names("query", len(query)), *canonical_names("slice", len(by))]
    return dict(zip(ours, [*query, *by], strict=True))


def apart_from(users: Sequence[str], ours: Sequence[str]) -> list[str]:
    """Return our column names, apart from the user's: a name that the user has gets `_1`, or the next free number.

    >>> apart_from(["query", "Rank"], ["relevance", "rank"])
    ['relevance', 'rank_1']
    """
    theirs = {name.casefold() for name in users}

    def free(name: str) -> str:
        numbered_names = (f"{name}_{number}" for number in count(1))
        return next(each for each in numbered_names if each not in theirs.union(ours))

    return [free(name) if name in theirs else name for name in ours]


class Reader:
    """Finds the user's columns in one source, and says what is wrong where they are not as they should be."""

    def __init__(self, source: Source, side: str, named: Iterable[str | None] = ()) -> None:
        self.source, self.side = source, side
        self.named = [*filter(None, named)]  # columns that other arguments use: do not suggest these
        self._named_low = set(map(str.casefold, self.named))  # there may be hundreds of score columns
        self._ways: dict[str, str] = {}  # by column: the type to cast ids to, or one of the below
        self.written_as: dict[str, Any] = {}  # the types of numbers in JSON that are read as text

    def has(self, name: str) -> bool:
        """Return True if the source has the column, or if its columns are unknown."""
        return self.source.columns is None or self._find_column(name) is not None or name in self.source.faults

    def _find_column(self, name: str) -> str | None:
        alike = self.source.spellings.get(name.casefold(), [])
        if self.source.elsewhere and name in alike:  # other engines have case-sensitive names
            return name
        if len(alike) > 1:
            text = f"the columns {commas(alike)} may all be {name!r}"
            raise ArgumentError(text, argument=self.where, fix="Pass the name of one as it is written there")
        return next(iter(alike), None)

    def name(self, argument: str, name: str) -> str:
        """Return the column's name as the source spells it."""
        if self.source.is_canonical and argument != "by":
            name = argument.removeprefix("qrels_")
        if self.source.columns is None:
            are_words = name.replace(",", "").replace(" ", "").isidentifier()  # no expression for a macro
            if are_words and (several := apart(argument, name)):
                raise ArgumentError(f"{name!r} ({spell(argument)}) would be a single column", fix=several)
            return name
        column = self._find_column(name)
        if column is None:
            raise advice.columns.absent(self, argument, name)
        if column in self.source.faults:
            raise DataError(self.source.faults[column], argument=self.where)
        return column

    @property
    def where(self) -> str:
        """What messages call the source."""
        return f"{self.side} ({self.source.label})"

    def column(self, argument: str, name: str) -> str:
        """Return what messages call a column."""
        return f"{self.where}: column {name!r} ({spell(argument)})"

    def unused(self) -> dict[str, str]:
        """Return the columns of single values that no argument names, by lower-case name; not those of decimals."""
        left_out = (*COMPOSITE, "number", "unknown", "blob")
        found = [name for name in self.free() if name not in self.source.blank]
        return {
            name.casefold(): name for name in found if family_of(self.kind(name)) not in left_out and self._reads(name)
        }

    def _reads(self, name: str) -> bool:
        """Return False if a column cannot be read, such as one of several with one name."""
        try:
            return bool(self.key("by", name, "value"))
        except RecallError:
            return False

    def is_named(self, name: str) -> bool:
        """Return True if an argument of the question names a column."""
        return name.casefold() in self._named_low

    def free(self) -> list[str]:
        """Return the columns that no argument names."""
        return [name for name in self.source.columns or () if not self.is_named(name)]

    def kind(self, name: str) -> Any:
        """DuckDB's type of a column; None where the columns are not known."""
        return None if self.source.columns is None else self.source.columns[name]

    def family(self, argument: str, name: str) -> str:
        """Return the family of a column's type."""
        return family_of(self.kind(self.name(argument, name)))

    def read_as(self, name: str, text: str) -> None:
        """Cast the ids of a column, be they in lists or maps, to a type."""
        self._ways[name] = _wrap_like(text, self.kind(name))

    def read_as_text(self, name: str) -> None:
        """Read the ids of a column as text; numbers as their shortest text, so that 1.0 is "1"."""
        kind = self.kind(name)
        family = family_of(element_of(kind))
        if family == "number" and family_of(kind) in ("list", "map"):
            text = f"column {name!r} holds lists or maps of {element_of(kind)}, which cannot be read as text"
            raise ArgumentTypeError(text, argument=self.where, fix="Cast them to whole numbers")
        if family != "text":
            self._ways[name] = _SHORTEST if family == "number" else _wrap_like("VARCHAR", kind)

    def read_as_whole_number(self, name: str) -> None:
        """Read floating-point ids as whole numbers, which they are."""
        if family_of(self.kind(name)) in ("list", "map"):
            self.read_as(name, "BIGINT")
        else:
            self._ways[name] = _WHOLE

    def check_ranked(self, name: str, query: Sequence[str], score: str) -> None:
        """Refuse sets as lists in rank order, and lists of scores next to lists of items, which they would rank."""
        for other in self._lists_next_to((name, *query), score, "score", ("number",)):
            text = f"{self.column('score', other)} holds lists next to those of column {name!r} ({spell('item')})"
            fix = f"To rank by it, pass {as_score(other)}. If the lists are in rank order, leave the column out"
            raise ArgumentTypeError(text, fix=fix)
        if self.name("item", name) in self.source.unordered:
            text = f"{self.column('item', name)} holds sets, which have no order"
            raise ArgumentTypeError(text, fix="Pass lists in rank order, or scores: {query: {item: score}}")

    def check_all_relevant(self, name: str, query: Sequence[str], relevance: str) -> None:
        """Refuse a column of relevance next to lists of items, all of which would be relevant."""
        ids = (name, *query)
        is_there = self.source.columns is not None and self.has(relevance) and not _is_one_of(relevance, ids)
        lists = [] if is_there else self._lists_next_to(ids, relevance, "relevance", (*NUMBERS, "boolean"))
        for other in [relevance] if is_there else lists:
            text = f"{self.column('relevance', other)} holds the relevance next to lists in column {name!r}"
            way = "Make a row for each item and its relevance, with unnest in SQL or explode in frames"
            way = f"Pass {spell('relevance', other)}" if family_of(self.kind(other)) == "list" else way
            raise ArgumentTypeError(text, fix=f"{way}. If all items are relevant, pass {spell('relevance', None)}")

    def _lists_next_to(self, ids: Sequence[str], name: str, argument: str, families: tuple[str, ...]) -> list[str]:
        """Return the columns that hold lists of numbers by their type, and by their name what an argument names.

        A column of ids is not one of them: it may have the default name of a score.
        """
        if self.source.columns is None:
            return []
        if self.has(name) and not _is_one_of(name, ids) and self.family(argument, name) == "list":
            return [name]
        lists = [each for each in self.free() if family_of(self.kind(each)) == "list"]
        lists = [each for each in lists if is_usual_of_lists(each, argument)]
        return [each for each in lists if family_of(element_of(self.kind(each))) in families]

    def check_ordered(self, argument: str, name: str, shape: str) -> None:
        """Refuse to cut relevant items at a depth unless a column holds lists of them, whose order is known."""
        if shape != "lists" or self.name(argument, name) in self.source.unordered:
            content = {"lists": "sets, which have no order", "maps": "maps"}.get(shape, "single items")
            raise ArgumentTypeError(
                f"{self.column(argument, name)} holds {content}, but {spell('qrels_depth')} cuts lists, best first",
                fix="Pass lists, as in {query: [items]}, or leave it out and pass only the first rows of each query",
            )

    def key(self, argument: str, name: str, canonical: str) -> Column:
        """Return a column as it is, except for casts that make ids comparable."""
        name = self.name(argument, name)
        self._check_files(argument, name)
        self.check_single(argument, name)
        expression, kind = self.as_written(name), self.kind(name)
        is_uuid = self.source.elsewhere and family_of(kind) == "uuid"
        is_float = kind is not None and kind.id in ("double", "float")
        way = None if argument == "by" else self._ways.get(name)
        if is_float and argument not in ("by", *OF_NUMBERS):
            expression = call("null_if_nan", expression)  # the template of sources does so for numbers
        if way == _WHOLE:
            expression = call("whole_number", expression)
        elif way == _SHORTEST:
            expression = shortest_text(expression, kind)
        elif way is not None:
            expression = exp.cast(expression, way, dialect="duckdb")
        elif str(kind) == "JSON":  # it writes the text 'x' as "x"
            expression = exp.func("json_extract_string", expression, literal("$"))
        elif is_uuid or (kind is not None and kind.id == "enum"):
            # An enum sorts by the order of its values, not as text. PostgreSQL has no max() of a UUID,
            expression = exp.cast(expression, "VARCHAR")
        elif self.source.elsewhere and family_of(kind) == "boolean" and argument != "relevance":  # nor of a boolean
            expression = call("as_number", expression)
        is_text = is_uuid or (way or family_of(kind)) in (_SHORTEST, "VARCHAR", "text")
        if self.source.may_collate and is_text and kind is not None and str(kind) != "JSON":
            # Under NOCASE, 'a' and 'A' would be one id.
            expression = exp.Collate(this=expression, expression=exp.to_identifier("binary", quoted=True))
        elif is_float and argument in ("by", "item_by", "model"):
            # NaN is a missing value. It would be a slice or model of its own.
            expression = exp.Case(ifs=[exp.If(this=exp.Not(this=exp.IsNan(this=expression)), true=expression.copy())])
        return Column(expression, canonical)

    def as_written(self, name: str) -> exp.Expr:
        """Return a column as the source holds it, without the blank after a comma."""
        column = exp.Column(this=as_given(name) if self.source.columns is None else identifier(name))
        is_indented = name in self.source.indented and family_of(self.kind(name)) == "text"
        return exp.func("ltrim", column, dialect="duckdb") if is_indented else column

    def check_single(self, argument: str, name: str) -> None:
        """Refuse a column of objects, or of lists in lists, which would be compared as a whole."""
        kind = self.kind(name)
        inner = element_of(kind) if argument in ("item", "qrels_item", "relevance") else kind
        if family_of(inner) in COMPOSITE:
            raise advice.columns.not_single(self, argument, name, inner)

    def key_type(self, name: str) -> str:
        """Return the type as which `key` reads a column of ids."""
        kind = element_of(self.kind(name))
        if family_of(kind) == "text" or (self.source.elsewhere and family_of(kind) == "uuid"):
            return "VARCHAR"
        return "INTEGER" if self.source.elsewhere and family_of(kind) == "boolean" else str(kind)

    def padding(self, name: str) -> int | str | None:
        """Return the id that fills up short lists, if the ids of this column are numbers or text; None for others."""
        kind = element_of(self.kind(name))
        way = self._ways.get(name, "")
        is_text = way == _SHORTEST or "VARCHAR" in way or (not way and family_of(kind) == "text")
        if not is_text and family_of(kind) not in ("whole number", "number"):
            return None
        filler = -1 if kind is None else _PADDING.get(kind.id, -1)
        return str(filler) if is_text and filler is not None else filler

    def is_blank(self, name: str) -> bool:
        """Return True if a column has no value, so that its type means nothing."""
        return name in self.source.blank or (self.source.elsewhere and family_of(self.kind(name)) == "unknown")

    def _check_files(self, argument: str, name: str) -> None:
        """Refuse files that hold a column as different things, which DuckDB would make one, or do not hold it."""
        types: dict[str, str] = {}  # the first type of each family, with its file
        for file, columns in self.source.files.items():
            kind = next((kind for each, kind in columns.items() if each.casefold() == name.casefold()), None)
            if kind is None and not any(part.startswith(f"{name}=") for part in Path(file).parts):
                text = f"the file {file!r} has no column {name!r} ({spell(argument)}), which other files have"
                raise DataError(text, argument=self.side, fix="Leave it out, or write it again with the column")
            family = family_of(element_of(kind))
            is_number = argument in ("score", "relevance", "rank") and family in (*NUMBERS, "boolean")
            if not is_number and family != "unknown":
                types.setdefault(f"{family_of(kind)} of {family}", f"{kind} in {file!r}")
        if len(types) > 1:
            both = ", ".join([*types.values()][:2])
            text = f"files differ in the type of column {name!r} ({spell(argument)}): it is {both}"
            raise DataError(text, argument=self.side, fix="Write them again with one type")

    def number(self, argument: str, name: str, families: tuple[str, ...], rule: str) -> Column:
        """Return a column whose type is one of `families`."""
        family = self.family(argument, name)
        if family not in families:
            raise advice.columns.no_number(self, argument, name, rule)
        column = self.key(argument, name, argument)
        if self.source.columns is not None and self.source.elsewhere and family == "unknown":
            # It has no value. A cast of its type to a number may fail, but a cast to text never does.
            return column._replace(expression=exp.cast(column.expression, "VARCHAR"))
        return column

    def untyped_as(self, ids: Mapping[str, str], numbers: Sequence[str], session: Session | None = None) -> None:
        """Read the ids of a CSV or JSON file as text, and its numbers as DOUBLE: decimals may follow further down."""
        source, self._read = self.source, [*ids, *numbers]
        if not (source.untyped and isinstance(source.relation, exp.Func)) or source.columns is None:
            return
        columns = [self.name(argument, name) for name, argument in ids.items()]
        types = {name: text for name in columns if (text := as_text(self.kind(name))) is not None}
        if source.is_json:
            kinds = {name: element_of(self.kind(name)) for name in types}
            self.written_as |= {name: each for name, each in kinds.items() if family_of(each) in NUMBERS}
        for name in [each for each in map(self._find_column, numbers) if each is not None and each not in types]:
            # The error of a value that is no number names its line. DuckDB takes -inf for text.
            are_numbers = family_of(self.kind(name)) in NUMBERS if source.is_json else str(self.kind(name)) != "BOOLEAN"
            types |= {name: "DOUBLE"} if are_numbers else {}
            if are_numbers and session is not None and family_of(self.kind(name)) not in NUMBERS:
                self._refuse_underscores(name, session)
        if types:
            self.source = source.with_types(types)

    def store(self, session: Session) -> None:
        """Store the columns of a file of text that the question reads on the session, so that it is parsed once."""
        source = self.source
        if source.untyped and isinstance(session, DuckDB) and not isinstance(source.relation, exp.Table):
            names = [*self._read, *self.named, *(each for each in self.free() if is_usual_name(each, "model"))]
            held = [each for name in names for each in source.spellings.get(name.casefold(), [])]
            columns = dict.fromkeys(source.columns or () if source.is_canonical else held)
            with unchanged([source.watched] if source.watched is not None else [], session):
                stored = session.store_files(source.relation, [exp.Column(this=identifier(name)) for name in columns])
            self.source = replace(source, relation=stored)

    def _refuse_underscores(self, name: str, session: Session) -> None:
        """Refuse 1_000, which DuckDB reads as 1000 in a column whose type is given."""
        value = exp.Column(this=identifier(name))
        relation = self.source.with_types({name: "VARCHAR"}).relation
        has_mark = exp.func("contains", value.copy(), literal("_"))
        for (found,) in session.rows(exp.select(value).from_(relation).where(has_mark).limit(1)):
            text = f"{self.side} ({self.source.label}): column {name!r} holds {found!r}, which is no number"
            raise DataError(text, fix="Correct the value, or name another column")


def _wrap_like(element: str, kind: Any) -> str:
    """Return the type of a column of elements, or of lists of elements or maps from them if its type holds such."""
    return {"list": f"{element}[]", "map": f"MAP({element}, DOUBLE)"}.get(family_of(kind), element)


def call(function: str, *arguments: exp.Expr) -> exp.Expr:
    """Return the expression that a function of `sql/functions.sql` stands for."""
    holder = exp.select(exp.Anonymous(this=function, expressions=list(arguments)))
    functions.expand(holder, templates.shared_functions())
    return holder.selects[0]


def shortest_text(number: exp.Expr, kind: Any) -> exp.Expr:
    """Return a value as text: a number without zeros at the end of its decimals."""
    text: exp.Expr = exp.cast(number.copy(), "VARCHAR")
    if family_of(kind) != "number":
        return text
    is_whole: exp.Expr = exp.EQ(this=number, expression=exp.Floor(this=number.copy()))
    if kind.id == "decimal":
        whole = exp.cast(number.copy(), "DECIMAL(38, 0)", dialect="duckdb")
        text = exp.Trim(this=text, expression=literal("0"), position="TRAILING")  # 4.5 is 4.50 as DECIMAL(9, 2)
    else:
        whole = exp.cast(number.copy(), "BIGINT")
        # Above 2^53, not every whole number is a DOUBLE.
        is_exact = exp.Between(this=number.copy(), low=literal(-(2**53)), high=literal(2**53))
        is_whole = exp.and_(is_whole, is_exact)
    return exp.Case(ifs=[exp.If(this=is_whole, true=exp.cast(whole, "VARCHAR"))], default=text)


def as_text(kind: Any) -> str | None:
    """Return the type to read instead of one that DuckDB guessed in a file: text, or maps; None for other types."""
    named = kind.children if kind.id in ("struct", "map") else []
    types = [inner for name, inner in named if (kind.id, name) != ("map", "key")]
    if types and all(family_of(inner) in (*NUMBERS, "boolean") for inner in types):
        return MAP  # with few names, DuckDB takes a map for a struct; 0.5 may follow after 1
    if family_of(kind) == "list":
        inner = as_text(element_of(kind))
        return None if inner is None else f"{inner}[]"
    return None if family_of(kind) in ("map", "struct", "unknown") else "VARCHAR"


def _is_one_of(name: str, names: Iterable[str]) -> bool:
    return name.casefold() in {each.casefold() for each in names}
