"""What DuckDB does faster than by definition, with the same answer, and the relations that are replaced for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from recall_duckdb.compose import Plan, Replacements
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
    """How an item and its score, or rank, go into one number, for `sql/duckdb/tops`."""

    shape: str  # of the run: scores or ranks
    items: tuple[int, int] | None  # the range of the items; without one, an item goes by its hash
    item_codes: int
    score_scale: float
    top: int  # how much of a list is kept
    parts: tuple[Part, ...] = (WHOLE,)
    most_lists: int | None = None  # how many there can be, where that is known
    any_open: bool = True  # whether any list is left open, as far as is known
    any_short: bool = True  # whether a list is shorter than what is kept, or missing, as far as is known

    @property
    def tops(self) -> str:
        """The variant of tops that keeps the numbers of each list."""
        return "hashed" if self.items is None else self.shape

    @property
    def placed(self) -> str:
        """The variant of placed that looks up items in those lists."""
        return "hashed" if self.items is None else "packed"

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
    """Which relations are made otherwise than by their definition.

    Attributes:
        apart: judged holds ranks and ideal ranks in rows apart.
        packing: the tops of lists are found by packed numbers, and the lists are not ranked.
        barred: what cannot be in the top of its list is not ranked.
        looked_through: the parts in which judgements are looked through in lists for items that are there twice.
        too_many: the number of judgements of a query that is too many for that.
        part: of what is computed part by part, the part that is meant.
    """

    apart: bool = False
    packing: Packing | None = None
    barred: bool = False
    looked_through: tuple[Part, ...] = ()
    too_many: int = 0
    part: Part = WHOLE

    @property
    def lists(self) -> str:
        """The variant of what is made from lists: ranked or, where they are packed, by the item or by its hash."""
        return "ranked" if self.packing is None else self.packing.placed

    def replacements(self) -> Replacements:
        """Return the relations that are replaced, and what their files need."""
        variants = {"placed": self.lists}
        reads: dict[str, dict[str, str]] = {}
        if self.apart:
            variants["judged"] = "apart"
        if self.packing is not None:
            variants |= {"retrieved": "packed", "tops": self.packing.tops}
            reads["ranked"] = {"candidates": "open_candidates"}
        elif self.barred:
            reads["ranked"] = {"candidates": "contenders"}
        packed = {} if self.packing is None else self.packing.parameters
        return Replacements(
            variants,
            reads,
            {**packed, **self.part.parameters, "too_many": self.too_many},
            of_judgings=frozenset({"ideal_lists", "relevant_candidates", "placed"}),
            # What each row is worth, and its number, is computed sooner than it is kept.
            in_place=frozenset({"numbers", "graded"} if self.apart else ()),
            kept=frozenset({"relevant_candidates"}),  # so that only these are looked up in their lists
        )


BY_DEFINITION = Forms()


@dataclass(frozen=True)
class FastPlan(Plan):
    """A plan with some of its relations in forms of DuckDB's."""

    forms: Forms = BY_DEFINITION

    @classmethod
    def of(cls, plan: Plan, forms: Forms = BY_DEFINITION) -> FastPlan:
        """Return a plan with these forms."""
        return cls(plan.inputs, plan.metrics, plan.policies, forms)

    def of_part(self, part: Part) -> FastPlan:
        """The same plan for a share of the queries, of the relations that are computed part by part."""
        return replace(self, forms=replace(self.forms, part=part))

    @cached_property
    def replacements(self) -> Replacements:
        """The relations that are replaced."""
        return self.forms.replacements()
