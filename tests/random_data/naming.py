"""Draws names of columns, tables and models: usual ones, odd ones, and words of the package's own SQL."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from random import Random

from reference import METRICS

from random_data.case import Names
from recall_duckdb.question.policies import is_distance, is_rank
from recall_duckdb.question.question import RESULT_COLUMNS
from recall_duckdb.reading.usual_names import PARTITIONS, USUAL_NAMES, without_separators

FOLDER = Path(__file__).parent.parent.parent / "sql"

ODD = (
    *("a b", 'a"b', '"', "it's", "a.b", ".", "a,b", "a;b", "--", "/*", "\\", "\\n", "a\tb", "a\nb", " ", " x", "x "),
    *("GRÖSSE", "größe", "日本", "😀", "İ", "e\u0301", "é", "Query", "ITEM", "sCore", "Relevance", "MODEL ", "_", "__"),
    *("0", "1e3", "-1", "*", "?", "?1", "$k", "$1", ":k", "@k", "#1", "%s", "{x}", "{{ x }}", "[]", "()", "=", "a=b"),
    *("select", "from", "order", "group", "table", "null", "true", "user", "end", "case", "exclude", "qualify"),
    *(
        "rowid", "filename", "COLUMNS(*)", "count(*)", "recall@3", "nan", "x" * 70, "score_1", "item_1", "query_1",
        "query_2",
    ),
)  # fmt: skip
_ROLES = ("query", "item", "score", "rank", "relevance", "model", "run", "qrels", "number", "code")
# The optional inputs have columns of these names next to the query and the item.
_OF_OPTIONAL = {"weight", "feature", "other", "similarity"}


@cache
def own_words() -> list[str]:
    """Return every word of the SQL files: names of relations and columns, functions and reserved words."""
    files = [path for path in FOLDER.rglob("*.sql") if "macros" not in path.parts and path.parent != FOLDER]
    statements = (re.sub("--.*", "", path.read_text("utf-8")) for path in files)
    return sorted({word for text in statements for word in re.findall(r"\b[a-zA-Z_]\w*", text)})


def drawn(random: Random, queries: int, models: list[str], together: str, shape: str, *, refused: set[str]) -> Names:
    """Return the names for this many query columns and these models; names in `refused` are not used."""
    labelled = shape == "labels"
    never = {*RESULT_COLUMNS, *_OF_OPTIONAL, *(name.casefold() for name in refused)}
    run: set[str] = set()  # in lower case, as DuckDB compares names
    query = tuple(column(random, "query", never | run, run) for _ in range(queries))
    item = column(random, "item", _OF_OPTIONAL | run, run)
    relevance = column(random, "relevance", run, run) if labelled else None
    model = column(random, "model", run, run)
    ordered = column(random, "rank" if shape == "ranks" else "score", run, run)
    if together == "scores":
        models = [column(random, "score", run, run) for _ in models]
    qrels: set[str] = set()
    qrels_query, qrels_item = query, item
    if not labelled and random.random() < 0.25:
        qrels_query = tuple(column(random, "query", qrels, qrels) for _ in range(queries))
        qrels_item = column(random, "item", qrels, qrels)
    qrels |= {name.casefold() for name in (*qrels_query, qrels_item)}
    relevance = relevance or column(random, "relevance", qrels, qrels)
    group = column(random, "group", never | qrels | {name.casefold() for name in query}, qrels)
    unused = [column(random, "unused", held, held) if random.random() < 0.3 else None for held in (run, qrels)]
    tables: set[str] = set()
    return Names(
        query, item, ordered, relevance, model, group, qrels_query, qrels_item, tuple(models), (unused[0], unused[1]),
        (column(random, "run", tables, tables), column(random, "qrels", tables, tables)),
    )  # fmt: skip


def some_names(number: int, seed: object) -> list[str]:
    """Return names of columns of one relation that may have any role, for tests that draw nothing else."""
    random, taken = Random(repr(seed)), {*RESULT_COLUMNS, *_OF_OPTIONAL, *METRICS, "recall@3"}
    return [column(random, "score", taken, taken) for _ in range(number)]


def column(random: Random, role: str, refused: Collection[str], taken: set[str]) -> str:
    """Draw a name that is not refused, and add it to those taken."""
    usual = USUAL_NAMES.get(role, ("country", "segment", "source", "day", "results", "main", "position", "number"))
    pools = {
        "default": [role],
        "usual": (*usual, *(f"{name}_id" for name in usual[:3]), *(name.title() for name in usual[:5])),
        "odd": ODD,
        "of another role": _ROLES,
        "of our SQL": own_words(),
    }
    while True:
        kind = random.choice(["default", "usual", "usual", "odd", "of another role", "of our SQL"])
        name = random.choice(pools[kind])
        has_a_meaning = (
            (role in ("group", "unused") and without_separators(name) in USUAL_NAMES["model"])
            or (role == "unused" and without_separators(name) in PARTITIONS)
            or (role in ("run", "qrels") and (name == "/*" or name.endswith("(*)")))  # files and calls come first
            or (role == "score" and (is_distance(name) or is_rank(name)))
        )
        if name.casefold() not in refused and not has_a_meaning:
            taken.add(name.casefold())
            return name
