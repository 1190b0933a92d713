"""Draws names of columns, tables and models: usual ones, odd ones, and words of the package's own SQL."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from random import Random

from random_data.case import Names
from recall_duckdb.inputs.usual_names import PARTITIONS, USUAL_NAMES, without_separators
from recall_duckdb.question.policies import is_distance, is_rank
from recall_duckdb.question.question import RESULT_COLUMNS

FOLDER = Path(__file__).parent.parent.parent / "sql"

ODD = (
    *("a b", 'a"b', '"', "it's", "a.b", ".", "a,b", "a;b", "--", "/*", "\\", "\\n", "a\tb", "a\nb", " ", " x", "x "),
    *("GRÖSSE", "größe", "日本", "😀", "İ", "e\u0301", "é", "Query", "ITEM", "sCore", "Relevance", "MODEL ", "_", "__"),
    *("0", "1e3", "-1", "*", "?", "?1", "$k", "$1", ":k", "@k", "#1", "%s", "{x}", "{{ x }}", "[]", "()", "=", "a=b"),
    *(
        "select",
        "from",
        "order",
        "group",
        "table",
        "null",
        "true",
        "user",
        "end",
        "case",
        "exclude",
        "qualify",
        "rowid",
    ),
    *("filename", "COLUMNS(*)", "count(*)", "recall@3", "nan", "x" * 70, "score_1", "item_1", "query_1", "query_2"),
)
# The optional inputs have columns of these names next to the query and the item.
_OF_OPTIONAL = {"weight", "feature", "other", "similarity"}


@cache
def own_words() -> list[str]:
    """Return every word of the SQL files: names of relations and columns, functions and reserved words."""
    files = [path for path in FOLDER.rglob("*.sql") if "macros" not in path.parts and path.parent != FOLDER]
    statements = (re.sub("--.*", "", path.read_text("utf-8")) for path in files)
    return sorted({word for text in statements for word in re.findall(r"\b[a-zA-Z_]\w*", text)})


class Namer:
    """Draws the names of one case."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def names(
        self, queries: int, models: list[str], *, together: str, number: str, labelled: bool, refused: set[str]
    ) -> Names:
        """Return the names for this many query columns and these models; names in `refused` are not used.

        `number` is what orders a list: score or rank.
        """
        never = {*RESULT_COLUMNS, *_OF_OPTIONAL, *(name.casefold() for name in refused)}
        run: set[str] = set()  # in lower case, as DuckDB compares names
        query = tuple(self.column("query", never | run, run) for _ in range(queries))
        item = self.column("item", _OF_OPTIONAL | run, run)
        relevance = self.column("relevance", run, run) if labelled else None
        model = self.column("model", run, run)
        ordered = self.column(number, run, run)
        if together == "scores":
            models = [self.column("score", run, run) for _ in models]
        qrels: set[str] = set()
        qrels_query, qrels_item = query, item
        if not labelled and self.random.random() < 0.25:
            qrels_query = tuple(self.column("query", qrels, qrels) for _ in range(queries))
            qrels_item = self.column("item", qrels, qrels)
        qrels |= {_lower(name) for name in (*qrels_query, qrels_item)}
        relevance = relevance or self.column("relevance", qrels, qrels)
        group = self.column("group", never | qrels | {_lower(name) for name in query}, qrels)
        unused = [self.column("unused", held, held) if self.random.random() < 0.3 else None for held in (run, qrels)]
        tables: set[str] = set()
        return Names(
            query, item, ordered, relevance, model, group, qrels_query, qrels_item, tuple(models),
            (unused[0], unused[1]), (self.column("run", tables, tables), self.column("qrels", tables, tables)),
        )  # fmt: skip

    def column(self, role: str, refused: Collection[str], taken: set[str]) -> str:
        """Draw a name that is not refused, and add it to those taken."""
        pools = {
            "default": [role],
            "usual": _usual(role),
            "odd": ODD,
            "of another role": (
                "query",
                "item",
                "score",
                "rank",
                "relevance",
                "model",
                "run",
                "qrels",
                "number",
                "code",
            ),
            "of our SQL": own_words(),
        }
        while True:
            kind = self.random.choice(["default", "usual", "usual", "odd", "of another role", "of our SQL"])
            name = self.random.choice(pools[kind])
            is_model = role in ("group", "unused") and without_separators(name) in USUAL_NAMES["model"]
            is_part = role == "unused" and without_separators(name) in PARTITIONS
            is_path = role in ("run", "qrels") and name == "/*"  # files of the machine come before tables
            is_refused = _lower(name) in refused or is_model or is_part or is_path
            if not is_refused and not (role == "score" and (is_distance(name) or is_rank(name))):
                taken.add(_lower(name))
                return name


def _usual(role: str) -> tuple[str, ...]:
    found = USUAL_NAMES.get(role, ("country", "segment", "source", "day", "results", "main", "position", "number"))
    return (*found, *(f"{name}_id" for name in found[:3]), *(name.title() for name in found[:5]))


def _lower(name: str) -> str:
    return name.casefold()
