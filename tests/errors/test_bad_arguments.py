"""Every argument with every kind of wrong value: it works as documented, or raises an error of this package."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from asking import Columns, fails, load

from recall_duckdb import (
    RecallError,
    Result,
    agreement,
    check,
    evaluate,
    install,
    pool,
    precision_at_k,
    recall,
    recall_at_k,
    sql,
    uninstall,
)
from recall_duckdb.checking import Faults
from recall_duckdb.question.policies import Policies

RUN: Columns = {"query": [1, 1, 2], "item": ["a", "b", "a"], "old": [2.0, 1.0, 1.0], "new": [1.0, 2.0, 1.0]}
QRELS: Columns = {"query": [1, 2], "item": ["a", "b"], "relevance": [1, 1]}
ASKED: dict[str, Any] = {"run": RUN, "qrels": QRELS, "score": ["old", "new"]}
MODELS: dict[str, Any] = {"run": RUN, "score": ["old", "new"], "baseline": "old"}


class Unwritable:
    """A value whose repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError


def values() -> dict[str, Any]:
    """Return values that a user might pass by mistake. Some can be read only once, so each call makes new ones."""
    return {
        "None": None, "5": 5, "1.5": 1.5, "nan": float("nan"), "empty": "", "no": "no", "list": [], "dict": {},
        "bytes": b"x", "bytes of a number": b"3", "truth of NumPy": np.True_, "object": object(), "NUL": "\0",
        "surrogate": "\ud800", "text 3": "3", "path with NUL": "\0.html", "path with surrogate": "\ud800.parquet",
        # No one value of these is wrong for every argument.
        "True": True, "0": 0, "infinity": float("inf"), "function": len, "class": int, "set": {"a"},
        "huge text": "x" * 100_000, "long path": "a/" * 2_500 + "x.csv", "huge number": 10**400,
        "number without text": 10**5_000, "number above 64 bits": 2**63, "generator": (each for each in [1]),
        "array": np.array([1, 2]), "frame": pd.DataFrame(), "series": pd.Series(["a", "b"]), "list of None": [None],
        "list of lists": [["a"]], "dict of numbers": {"a": 5}, "no text": Unwritable(), "range": range(3),
        "huge fraction": Fraction(10**400), "path": Path("nowhere"), "exception": ValueError("x"),
        "columns of numbers": {"query": 5, "item": 5, "score": 5},
        "columns of objects": {"query": [object()], "item": [object()], "score": [object()]},
    }  # fmt: skip


WRONG = [*values()][:17]
# What an argument takes after all, as documented, which other tests try; by default None.
TAKEN: dict[str, tuple[str, ...]] = {
    "report queries": ("5",), "report check": ("None",), "report baseline": ("None",), "report history": ("None",),
    "report samples": ("None",), "report tie_within": ("5", "1.5"), "report seed": ("5",),
    "append history": ("no", "text 3"), "append run_id": ("None", "no", "text 3"), "plot metric": ("None",),
    "value model": (), "value by": ("None", "dict"), "explain model": ("None",), "explain baseline": ("None",),
    "explain k": ("None", "5"), "agreement k": ("None", "5"), "agreement of value model": ("None",),
    "agreement of per_query model": ("None",), "check skip": ("None", "list", "dict"), "pool depth": ("None", "5"),
    "sql run": ("no", "text 3"), "sql form": ("no", "text 3"), "sql name": ("None", "no", "text 3"),
    **dict.fromkeys(("evaluate rank", "evaluate model", "evaluate by", "evaluate item_by"), ("None", "list")),
    **dict.fromkeys(("evaluate qrels_query", "evaluate qrels_item", "evaluate metric_folder"), ("None", "list")),
    **dict.fromkeys(("evaluate min_score", "evaluate depth", "evaluate threshold"), ("None", "5", "1.5")),
}  # fmt: skip
Call = Callable[..., object]


@pytest.fixture(scope="module")
def result() -> Iterator[Result]:
    with evaluate(**ASKED, metrics=["recall@1,2", "rr"]) as found:
        yield found


def calls(result: Result, folder: Path) -> dict[str, tuple[Call, dict[str, Any], tuple[str, ...]]]:
    """Return each function, arguments with which it works, and the arguments to replace; by default all."""
    agreed = agreement(**MODELS, k=2)
    page = {"path": folder / "report.html", "queries": 0, "check": False}
    return {
        "report": (result.report, page, ()), "append": (result.append, {"history": folder / "history"}, ()),
        "to_trec": (result.to_trec, {}, ()), "plot": (result.plot, {}, ()),
        "value": (result.value, {"metric": "rr", "model": "old"}, ()), "metric": (result.metric, {}, ()),
        "explain": (result.explain, {"query": 1, "baseline": "old"}, ()),
        "agreement of value": (agreed.value, {"column": "rbo"}, ()),
        "agreement of per_query": (agreed.per_query, {}, ()),
        "agreement": (agreement, MODELS, ("run", "baseline", "k", "p", "ties", "dialect")),
        "evaluate": (evaluate, ASKED, ()), "check": (check, ASKED, ("run", "metrics", "skip")),
        "pool": (pool, ASKED, ("run", "metrics", "depth")),
        "sql": (sql, {}, ("run", "dialect", "per_query", "pool", "form", "name")), "install": (install, {}, ()),
        "uninstall": (uninstall, {}, ()),
    }  # fmt: skip


FUNCTIONS = (
    *("explain", "report", "append", "to_trec", "plot", "value", "metric", "agreement", "agreement of value"),
    *("agreement of per_query", "evaluate", "check", "pool", "sql", "install", "uninstall"),
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_wrong_argument_never_raises_a_raw_error(
    function: str, result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, works, only = calls(result, tmp_path)[function]
    held = values()
    for argument in only or inspect.signature(call).parameters:
        for name in WRONG:
            if name in TAKEN.get(f"{function} {argument}", ("None",)):
                continue
            text = fails(RecallError, "", call, **{**works, argument: held[name]})
            assert text.encode()  # a lone surrogate cannot be printed
            assert len(text) < 2_000  # the names of all checks


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    with sqlite3.connect(":memory:", check_same_thread=False) as connection:
        load(connection, {"run": RUN, "qrels": QRELS})
        yield connection


ARRAYS = {"y_true": [1, 0], "y_score": [0.2, 0.1], "k": 1}
OVER_A_CONNECTION: dict[str, Any] = {"run": "run", "qrels": "qrels", "score": ["old", "new"]}
POLICIES = Policies.__dataclass_fields__
LENIENT: list[tuple[Call, dict[str, Any]]] = [
    *((function, ASKED) for function in (evaluate, check)),
    *((function, OVER_A_CONNECTION) for function in (evaluate, check, sql)),
    *((function, ARRAYS) for function in (recall_at_k, precision_at_k)),
    (recall, {"recommended": ["a"], "relevant": ["a"], "k": 1}),
]


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("part", range(8))
def test_a_value_of_any_kind_gives_an_answer_or_an_error_of_this_package(part: int, shop: sqlite3.Connection) -> None:
    """A part has every function, argument and kind of value, but not each combination of them."""
    faults = []
    for function, works in LENIENT:
        asked = {**works, "connection": shop} if works is OVER_A_CONNECTION else works
        names = [*inspect.signature(function).parameters]
        names += POLICIES if "options" in names else []
        for place, argument in enumerate(name for name in names if name != "options"):
            for kind, value in [*values().items()][(part + place) % 8 :: 8]:
                try:
                    answer = function(**{**asked, argument: value})
                except RecallError:
                    continue
                except Exception as error:
                    answer = error
                if not isinstance(answer, (Result, Faults, str, float, type(None))):
                    faults.append(f"{function.__name__}({argument}={kind}) gives {answer!r}")
    assert faults == []


@pytest.mark.parametrize(
    ("function", "argument"), [("report", "check"), ("to_trec", "each_query"), ("sql", "per_query"), ("sql", "pool")]
)
def test_a_flag_is_true_or_false(function: str, argument: str, result: Result, tmp_path: Path) -> None:
    call, works, _ = calls(result, tmp_path)[function]
    for wrong in ("no", 0, 1, ""):
        fails(TypeError, f"{argument}: True or False is expected, not {wrong!r}", call, **{**works, argument: wrong})


@pytest.mark.parametrize("k", ["3", "3.0", "", "whole"])
def test_a_cutoff_of_its_own_is_a_number(k: Any, result: Result) -> None:
    fails(ValueError, rf"k must be a whole number from 1 to \d+, not '{k}'", agreement, **MODELS, k=k)
    fails(ValueError, f"k: a whole number above 0 is expected, not '{k}'", result.explain, 1, baseline="old", k=k)
