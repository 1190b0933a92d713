"""Policies: the places where libraries silently differ, named, with trec_eval's choice as the default."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from ctypes import c_float
from dataclasses import dataclass
from decimal import Decimal
from inspect import get_annotations
from numbers import Real
from types import NoneType
from typing import Any, Literal, get_args

from recall_duckdb.errors import ArgumentError, ArgumentTypeError, UnknownNameError, commas, nearest, quote, spell
from recall_duckdb.question.cutoffs import cutoff

# What the names of columns of which the lowest value is the best have in lower case. RE2 of DuckDB has no lookahead.
DISTANCE = r"distance|negative_?inner_?product|dists?([^a-z]|$)|^_?l2_?$"
# Common names of columns of ranks, in lower case without separators.
RANKS = (
    *("rank", "ranks", "rnk", "ranking", "position", "pos", "place", "itemrank", "rankinlist", "rownumber"),
    *("rankposition", "positioninlist", "posrank", "listposition"),
)
LIMITS = {"threshold": float, "min_score": float, "qrels_depth": int, "depth": int}


@dataclass(frozen=True, kw_only=True)
class Scale:
    """What is relevant, and how scores and ids compare.

    Attributes:
        semantics: scores compare as 64-bit floats (trec_eval_10) or as 32-bit floats (trec_eval_9, which pytrec_eval,
            ir_measures and BEIR use). In trec_eval_9, iprec also rounds up more often.
        ids: run and qrels must have ids of one type (typed), or ids of different types compare as text (text). Then 1,
            1.0 and '1' are the same id. Ids in files of text (CSV, TREC, JSON) always compare as text.
        threshold: the lowest relevance that counts as relevant; default: anything above 0. Relevance is not rounded:
            0.5 is relevant, but trec_eval truncates it to 0.
        order: high scores come first (descending), or low scores such as distances (ascending). Default:
            descending, except that a score column whose name says that it holds distances or ranks, such as distance,
            cos_dist, l2, rank or position, needs one of the two.
        min_score: the lowest score that is recommended; default: all scores.
        qrels_depth: only the first items of each list of relevant items are relevant, at most this many, as in
            recall@10 against the first 10 of 100 true neighbours; default: all. The qrels must hold lists.
    """

    semantics: Literal["trec_eval_10", "trec_eval_9"] = "trec_eval_10"
    ids: Literal["typed", "text"] = "typed"
    order: Literal[None, "descending", "ascending"] = None
    threshold: float | None = None
    min_score: float | None = None
    qrels_depth: int | None = None

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            check_choice(name, getattr(self, name, choices[0]), choices)
        for name, kind in LIMITS.items():
            value = getattr(self, name, None)
            if value is not None:
                object.__setattr__(self, name, finite(name, value) if kind is float else _depth(name, value))
        if self.min_score is not None and self.order == "ascending":
            told = f"it is a lowest score, but with {spell('order', 'ascending')} low scores are the best"
            fix = "Leave it out, and remove the rows with high scores from the run"
            raise ArgumentError(told, argument="min_score", fix=fix)
        if self.threshold is not None and self.threshold <= 0:
            told = f"{self.threshold} is not above 0: relevance of 0 or below is never relevant"
            raise ArgumentError(f"{told}; shift your relevance if its scale begins lower", argument="threshold")


@dataclass(frozen=True, kw_only=True)
class Policies(Scale):
    """One choice for each place where libraries differ; the defaults together are trec_eval 10 with -c.

    Attributes:
        no_relevant: a query without relevant items keeps the values of its metrics, where 0 / 0 counts as 0 (zero), is
            left out of the mean (skip), or is an error (error).
        missing: a judged query without any retrieved item counts 0 (zero), is left out (skip), or is an error (error).
        short: lists with fewer than k candidates are allowed (allow), or an error (error).
        ties: equal scores are ordered by item, descending (item_desc, as in trec_eval) or ascending (item), or relevant
            items come first (optimistic) or last (pessimistic). With expected, a metric is its mean over all orders;
            some metrics have no closed form for it.
        duplicates: the same item twice in a query is an error (error; `check` also looks below the largest cutoff), or
            its best score or first place counts (best).
        nulls: a NULL or NaN is an error (error), or its row is left out (drop). With last, a NULL score ranks last, and
            a NULL relevance counts as one below 0: pooled, but not judged. A NULL id, or NULL instead of a list, is an
            error too. An empty list is not NULL.
        precision: precision divides by k (k), or by the number retrieved if that is smaller (retrieved).
        unjudged: unjudged items keep their ranks and are not relevant (keep), or are removed before ranking (drop).
        ranks: in a rank column, ranks other than 1, 2, 3 and so on are an error (error), are used as they are (given,
            which agreement refuses), or only give the order of the items (renumber). If given, all items of a list are
            retrieved, whatever their ranks.
        depth: only the first candidates of each list count, at most this many, as with -M in trec_eval; default: all.
        padding: an item -1 (or the highest value of a 32-bit or 64-bit unsigned type) is an error (error) if it is
            relevant nowhere or in lists of relevant items, and no other item is negative, because indexes fill short
            lists with it, or it is an item (keep).
        empty: an empty run, empty qrels, or qrels without any relevant item are an error (error), or are evaluated as
            the other policies say (allow).

    Example:
        >>> Policies(ties="item").ties
        'item'
    """

    no_relevant: Literal["zero", "skip", "error"] = "zero"
    missing: Literal["zero", "skip", "error"] = "zero"
    short: Literal["allow", "error"] = "allow"
    ties: Literal["item_desc", "item", "optimistic", "pessimistic", "expected"] = "item_desc"
    duplicates: Literal["error", "best"] = "error"
    nulls: Literal["error", "drop", "last"] = "error"
    precision: Literal["k", "retrieved"] = "k"
    unjudged: Literal["keep", "drop"] = "keep"
    ranks: Literal["error", "given", "renumber"] = "error"
    empty: Literal["error", "allow"] = "error"
    padding: Literal["error", "keep"] = "error"
    depth: int | None = None

    @property
    def lowest_score(self) -> float | None:
        """min_score in the precision of scores: rounded to a 32-bit float with trec_eval_9."""
        if self.min_score is None or self.semantics != "trec_eval_9":
            return self.min_score
        largest = sys.float_info.max  # some engines have no infinity, so this number replaces it, in scores too
        return max(-largest, min(largest, c_float(self.min_score).value))

    def settings(self) -> dict[str, Any]:
        """Return the policies by name."""
        return {name: getattr(self, name) for name in (*CHOICES, *LIMITS)}


# The values of each policy, its default first.
CHOICES: dict[str, tuple[str | None, ...]] = {
    name: get_args(values)
    for kind in (Policies, Scale)
    for name, values in get_annotations(kind, eval_str=True).items()
    if name not in LIMITS
}


# How a statement adds up: as one would write it, or with the same bits in any order of the rows.
SUMS = ("plain", "exact")
# What `sql` writes, and what of it has a name.
FORMS = ("select", "view", "table", "macro", "dbt", "test")
CREATED = ("view", "table", "macro")


def check_choice(argument: str, value: object, choices: Sequence[str | None]) -> None:
    """Refuse a value that is not one of the choices for an argument."""
    if not isinstance(value, (str, NoneType)) or value not in choices:
        named = [choice for choice in choices if choice is not None]
        hint = nearest(value, named) if isinstance(value, str) else ""
        raise UnknownNameError(f"{quote(value)} is not one of {commas(named)}", argument=argument, fix=hint)


def as_float(number: float | None) -> float | None:
    """Return a number as a FLOAT column holds it; None if it holds the same number, or cannot hold it.

    A FLOAT has 7 digits and is at least 1e-37. A number with more digits is not meant for such a column.

    >>> as_float(0.7), as_float(0.5), as_float(16777217), as_float(1e-300)
    (0.699999988079071, None, None, None)
    """
    if number is None or abs(number) < 1e-37 or float(f"{number:.7g}") != number:
        return None
    rounded = c_float(number).value
    return None if rounded == number or math.isinf(rounded) else rounded


def is_distance(name: str) -> bool:
    """Return True if a name is that of a column of distances, or of an expression that computes one.

    >>> is_distance("dist_cos"), is_distance("array_cosine_distance(a, b)"), is_distance("district")
    (True, True, False)
    """
    return re.search(DISTANCE, name.casefold()) is not None


def is_rank(name: str) -> bool:
    """Return True if a name is common for a column of ranks.

    >>> is_rank("Position"), is_rank("score")
    (True, False)
    """
    return re.sub(r"[\W_]", "", name.casefold().rpartition(".")[2]) in RANKS  # of a path, the field


def number(name: str, value: object) -> float:
    """Return a number of any type as a float, NaN if there is no such float; raises `ArgumentTypeError` for others."""
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise ArgumentTypeError(f"a number is expected, not {quote(value)}", argument=name)
    try:
        return float(value)
    except (OverflowError, ValueError):  # 10**400, and a signaling NaN
        return math.nan


def finite(name: str, value: object) -> float:
    """Return the value of an argument as a finite float; raises `ArgumentError` for others."""
    found = number(name, value)
    if not math.isfinite(found):
        raise ArgumentError(f"a finite number is expected (below 1.8e308), not {quote(value)}", argument=name)
    return found


def _depth(name: str, value: object) -> int | None:
    try:
        return cutoff(value)
    except ArgumentError as error:
        raise ArgumentError(str(error).removeprefix("k "), argument=name) from None


def policies(arguments: dict[str, object]) -> Policies:
    """Return the policies of keyword arguments; raises `UnknownNameError` for a name that is no policy."""
    known = [*CHOICES, *LIMITS]
    for name in (each for each in arguments if each not in known):
        fix = f"{nearest(name, known)} Policies: {commas(known)}"
        raise UnknownNameError(f"there is no policy or argument {name!r}", fix=fix)
    return Policies(**arguments)  # type: ignore[arg-type]
