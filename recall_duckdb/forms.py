"""The forms that relations can take beside their definition, with the same answer; `plans` chooses among them."""

from __future__ import annotations

from dataclasses import dataclass

from recall_duckdb.trees import Value


@dataclass(frozen=True)
class Part:
    """A share of the queries: by their hash or, where they are whole numbers, from one to another."""

    number: int = 0
    of: int = 1
    range: tuple[int, int] | None = None

    @property
    def parameters(self) -> dict[str, Value]:
        """The parameters of the files whose rows are computed part by part."""
        low, high = self.range or (0, 0)
        return {
            "part": self.number,
            "parts": self.of,
            "by_range": self.range is not None,
            "part_low": low,
            "part_high": high,
        }


WHOLE = Part()


@dataclass(frozen=True)
class Packing:
    """How an item and its score go into one number, for `sql/duckdb/tops`; without a range, by the item's hash."""

    items: tuple[int, int] | None
    item_codes: int
    score_scale: float
    top: int  # how much of a list is kept
    parts: tuple[Part, ...] = (WHOLE,)
    most_lists: int | None = None  # how many there can be, where that is known
    any_open: bool = True  # whether any list is left open, as far as is known
    any_short: bool = (
        True  # whether a list is shorter than what is kept, or has nothing so far down, as far as is known
    )

    @property
    def parameters(self) -> dict[str, Value]:
        """The parameters of those files."""
        low, high = self.items or (0, 0)
        return {
            "by_hash": self.items is None,
            "item_low": low,
            "item_high": high,
            "item_codes": self.item_codes,
            "score_scale": self.score_scale,
            "top": self.top,
            "any_open": self.any_open,
        }


@dataclass(frozen=True)
class Forms:
    """Which relations take another form than their definition."""

    apart: bool = False  # judged holds ranks and ideal ranks in rows apart
    packing: Packing | None = None  # lists are found by packed numbers, and not ranked
    barred: bool = False  # what cannot be in the top of its list is not ranked
    listed: tuple[Part, ...] = ()  # judgements are looked through in lists for items that are there twice, by parts
    too_many: int = 0  # so many judgements of a query are too many for that

    @property
    def lists(self) -> str:
        """The variant of what is made from lists: ranked or, where they are packed, by the item or by its hash."""
        return "ranked" if self.packing is None else "packed" if self.packing.items else "hashed"


BY_DEFINITION = Forms()
