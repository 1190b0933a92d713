"""The ways in which `evaluate` answers: by itself, in rows, and in lists with each key.

Only this module of random_data names the ways.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from forms import kind

from recall_duckdb.answering import answers, forms, keys, planning, stacked
from recall_duckdb.answering.forms import Form

# How each path changes the choice of a key: the names of a module, with the values that they get.
Changes = Mapping[tuple[Any, str], Any]
_LARGE: Changes = {(keys, "_MANY_ROWS"): 0, (stacked, "_MANY_SCORES"): 1}
FORCED: dict[str, Changes] = {
    "lists": _LARGE,
    "lists: row": {(keys, "choose"): lambda *_: [keys.ROW]},
    "lists: cutoff": {**_LARGE, (keys, "_numbers"): lambda *_: [], (keys, "MOST_SURVIVORS"): math.inf},
}
EVALUATED = ("evaluate", "definition", *FORCED)


@contextmanager
def planned(path: str) -> Iterator[list[str]]:
    """Make `evaluate` answer in the way of a path, for any number of rows; yield the names of the ways that it took."""
    compute, covers = answers.compute, forms.covers
    chosen: list[str] = []

    def computed(form: Form, session: Any) -> Any:
        chosen.append("rows" if form.columns == ["counts"] else "lists" if form.is_stored else "one statement")
        return compute(form, session)

    def covered(*arguments: Any) -> bool:
        return path != "definition" and covers(*arguments)

    forced = dict(FORCED.get(path, {}))
    choose = forced.pop((keys, "choose"), keys.choose)

    def of_keys(*arguments: Any) -> list[Any]:
        found: list[Any] = choose(*arguments)
        chosen.extend(kind(key).split()[0] for key in found[:1])
        return found

    ours: dict[tuple[Any, str], Any] = {
        (answers, "compute"): computed,
        (forms, "covers"): covered,
        (keys, "choose"): of_keys,
    }
    if path != "evaluate":
        ours[planning, "FEW_ROWS"] = -1
    changes = {**ours, **forced}
    before = {key: vars(key[0])[key[1]] for key in changes}
    try:
        for (module, name), value in changes.items():
            setattr(module, name, value)
        yield chosen
    finally:
        for (module, name), value in before.items():
            setattr(module, name, value)
