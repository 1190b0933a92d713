"""The question of `agreement`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from recall_duckdb.errors import ArgumentError, quote, spell
from recall_duckdb.question import metrics
from recall_duckdb.question.cutoffs import cutoff
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import number
from recall_duckdb.question.question import OPTIONAL_INPUTS, PolicyQuestion, refuse_names

# The range of p for rank-biased overlap; beyond it, sums lose digits.
_SMALLEST_P, _LARGEST_P = 0.01, 0.999


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementQuestion(PolicyQuestion):
    """The question of `agreement`, which compares lists with each other and reads no judgements.

    Attributes:
        baseline: the model that the others are compared with.
        k: how many items of each list count; None for whole lists.
        p: the probability that a reader continues to the next rank, for rank-biased overlap.
    """

    baseline: object = None
    k: int | None = 10
    p: float = 0.9
    hidden: ClassVar[tuple[str, ...]] = (
        *("qrels", "relevance", "by", "slices", "item_by", "qrels_query", "qrels_item", "qrels_columns", "metrics"),
        "metric_folder",
        *(name for name in OPTIONAL_INPUTS if name not in ("exclude", "items", "item_map")),
        *("no_relevant", "missing", "short", "precision", "unjudged", "empty", "depth", "threshold"),
        "qrels_depth",
    )

    @cached_property
    def parsed_metrics(self) -> list[Metric]:
        """A metric that reads each list down to k."""
        return metrics.parse("recall" if self.k is None else f"recall@{self.k}")

    @cached_property
    def needs_judgements(self) -> bool:
        """False: lists are compared with each other."""
        return False

    def __post_init__(self) -> None:
        cutoff(1 if self.k is None else self.k)
        object.__setattr__(self, "p", number("p", self.p))
        if not _SMALLEST_P <= self.p <= _LARGEST_P:
            told = f"a number from {_SMALLEST_P} to {_LARGEST_P} is expected, such as 0.9, not {quote(self.p)}"
            raise ArgumentError(told, argument="p")
        super().__post_init__()
        for name, value, instead in (("ties", self.ties, "item_desc"), ("ranks", self.ranks, "renumber")):
            if value in ("optimistic", "pessimistic", "expected", "given"):
                raise ArgumentError(
                    f"{value!r} gives no single list without gaps", argument=name, fix=f"Pass {spell(name, instead)}"
                )
        refuse_names("query", self.names.query, ("jaccard", "rbo", "changed"), "of its own")
