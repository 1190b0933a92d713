"""Find the top of each list with `max(number, k)`: a number holds a score and an item, or the hash of an item.

If the numbers do not decide the order of a list, it is open and is ranked by the definitions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, frexp, inf, isfinite, ldexp, log2
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import seen_by
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast import ideal_lists, score_cutoffs
from recall_duckdb.fast.base import Facts, FastPlan, Prepared
from recall_duckdb.fast.partitions import FEW_PARTITIONS, MANY_PARTITIONS, NUMBER_BYTES, Partitions, partitions

# Sort lists instead of packing them if metrics read deeper ranks than DEEPEST. For metrics of whole lists, keep
# DEEPEST ranks, and pack only if lists have at most _SHORT_LIST candidates on average; rank longer lists by the
# definitions.
DEEPEST, _SHORT_LIST = 128, 110
# The most bits that an item or its hash may take.
ITEM_BITS = 31
# The stored lists may take _STORED_SHARE of the memory limit while other statements run (measured: 1 / 4 fails). An
# item takes _ITEM_BYTES; the join with hashes takes _JOINED_BYTES for each judgement.
_STORED_SHARE, _ITEM_BYTES, _JOINED_BYTES = 1 / 5, 4, 100
# A list is open if two of its scores share a cell: pack only if that is expected in fewer than 1 % of the lists.
# Typical scores get _SPARE_BITS more if there is room. Larger scores then have no number, and their lists are open.
_SHARED_CELLS, _SPARE_BITS = 0.01, 6
# Rank all lists by the definitions if more than this share is open.
_MOST_OPEN = 0.3
# Use a score cutoff instead of hashes if it leaves less than this share of the rows.
_FEW_SURVIVORS = 0.15


@dataclass(frozen=True)
class PackedLists(FastPlan):
    """The top of each list, computed first.

    Attributes:
        plan: the question.
        session: where to run it.
        tops: the variant file of tops: "scores" or "ranks" with items, "hashed" with the hashes of items.
        items: the range of the items; (0, 0) with hashes.
        item_codes: a power of two above the number of items in that range, or of hashes.
        score_scale: the factor that makes scores fill the bits that items leave.
        top: the number of candidates to keep of each list.
        partitions: how the queries are partitioned; one statement finds the lists of a partition.
        most_lists: the number of lists if none is missing, None if unknown.
        fallback: the plan for the definitions, which rank all lists if too many are open.
    """

    plan: Plan
    session: DuckDB
    tops: str
    items: tuple[int, int]
    item_codes: int
    score_scale: float
    top: int
    partitions: Partitions
    most_lists: int | None = None
    fallback: FastPlan = field(default_factory=FastPlan)

    def replacements(self, *, any_open: bool = True) -> Replacements:
        """Return the relations made from these lists; `any_open` is False if no list has to be ranked."""
        by_hash = self.tops == "hashed"
        return Replacements(
            variants={"tops": self.tops, "retrieved": "packed", "placed": "hashed" if by_hash else "packed"},
            reads={("ranked", "candidates"): "open_candidates"},
            parameters={
                "by_hash": by_hash,
                "item_low": self.items[0],
                "item_high": self.items[1],
                "item_codes": self.item_codes,
                "score_scale": self.score_scale,
                "top": self.top,
                "any_open": any_open,
            },
            # Numbers are faster to recompute than to store. Of the candidates, only the relevant ones are looked up.
            in_place=frozenset({"numbers"}),
            materialized=frozenset({"relevant_candidates"}),
        )

    def settled_checks(self) -> frozenset[str]:
        """Return the checks that are needed only if a list is open or short, as `prepare` finds out."""
        return seen_by("open_lists") | seen_by("short_lists")

    def prepare(self) -> Prepared:
        """Store the top of each list, and find out whether any list is open or short.

        If ranks are given, an open list is a fault: it holds an item twice, or its ranks are not 1, 2, 3, … Then
        the fallback is used, so that the checks find the fault.
        """
        tops = store_tops(self.plan, self.session, self.replacements(), self.partitions)
        totals = counts(tops, self.plan, self.session)
        is_open = totals["open_lists"] > 0
        if (is_open and self.tops == "ranks") or are_too_many_open(totals):
            self.session.drop(tops)
            return self.fall_back()
        is_short = self.most_lists is None or totals["lists"] < self.most_lists or (totals["shortest"] or 0) < self.top
        unsettled = seen_by("short_lists") if is_short else frozenset()
        lists = Prepared(self.replacements(any_open=is_open), {"tops": tops}, unsettled)
        return lists | open_lists(tops, self.plan, self.session, seen_by("open_lists")) if is_open else lists

    def fall_back(self) -> Prepared:
        """Return the fallback, with the checks that are needed without the lists."""
        return self.fallback.prepare() | Prepared(unsettled=self.settled_checks())


def store_tops(plan: Plan, session: DuckDB, replacements: Replacements, parts: Partitions) -> exp.Table:
    """Store the relation tops, one partition after the other."""
    faster = replace(plan, replacements=replacements)
    numbers = "labelled_numbers" if faster.variant("tops") == "labelled" else "numbers"
    with parts.statements(faster, session, numbers) as statements:
        tops = session.store(next(statements))
        for each in statements:
            session.append(tops, each)
    return tops


def counts(tops: exp.Table, plan: Plan, session: DuckDB) -> dict[str, Any]:
    """Return how many lists are stored, and how many of each kind."""
    return session.dicts(Statement(plan, {"tops": tops}).of_table("top_counts"))[0]


def open_lists(tops: exp.Table, plan: Plan, session: DuckDB, names: Collection[str]) -> Prepared:
    """Store the rows of the open lists, and return the names of the checks that find a fault there."""
    bound, shape = {"tops": tops}, plan.inputs.run_shape
    rows = session.store(Statement(plan, bound).of_table("open_candidates"))
    faulty = set()
    for check in (templates.checks()[name] for name in sorted(names)):
        if shape not in check.when.get("run", (shape,)):
            continue
        is_labelled = check.name in seen_by("open_labelled_runs")
        looked_at = session.store(Statement(plan, bound).of_table("open_labels")) if is_labelled else rows
        relation = {"labelled" if is_labelled else "run": looked_at}
        [(_, faults)] = session.rows(Statement(plan, relation).of_checks([check]))
        faulty |= {check.name} if faults else set()
        if is_labelled:
            session.drop(looked_at)
    return Prepared(bound={"open_candidates": rows}, unsettled=frozenset(faulty))


def are_too_many_open(totals: Mapping[str, Any]) -> bool:
    """Return True if it is faster to rank all lists by the definitions than the open ones."""
    return bool(totals["open_lists"] > _MOST_OPEN * totals["lists"])


def choose(facts: Facts) -> PackedLists | None:
    """Use packed lists with items that are integers, or with hashes unless a score cutoff leaves few rows."""
    top, memory = top_of(facts), facts.session.resources[0]
    if facts.qrels is None or top is None or not ideal_lists.are_used(facts.replacements):
        return None
    parts = partitions(facts.plan, facts.session, facts.run, top, MANY_PARTITIONS)
    if parts is None:
        return None
    places = facts.run.lists * min(top, ceil(facts.run.rows / facts.run.lists))
    fallback = score_cutoffs.choose(facts) or FastPlan()
    by_item = _by_item(facts, top, parts)
    if by_item is not None:
        return replace(by_item, fallback=fallback) if places * _ITEM_BYTES <= _STORED_SHARE * memory else None
    joined = places * NUMBER_BYTES + facts.qrels.rows * _JOINED_BYTES
    is_slow = score_cutoffs.survivors(facts) < _FEW_SURVIVORS or parts.scans > FEW_PARTITIONS
    if is_slow or joined > _STORED_SHARE * memory:
        return None
    by_hash = _by_hash(facts, top, parts)
    return None if by_hash is None else replace(by_hash, fallback=fallback)


def top_of(facts: Facts) -> int | None:
    """Return how many candidates of each list metrics need, or all for short lists; None if that is too many."""
    depth, run = facts.plan.depth, facts.run
    if facts.plan.policies.ranks == "given":  # the top of a list does not say how many items the list holds
        return None
    if depth is not None:
        return depth if depth <= DEEPEST else None
    is_short = run.are_lists_counted and run.rows <= _SHORT_LIST * run.lists
    return DEEPEST if is_short and facts.plan.inputs.run_shape == "scores" else None


def _by_item(facts: Facts, top: int, parts: Partitions) -> PackedLists | None:
    """Return the plan that packs a score or rank and an item in one number; None if they do not fit."""
    plan, run = facts.plan, facts.run
    if plan.policies.ties not in ("item_desc", "item") or run.items is None or not run.are_items_small:
        return None
    low, high = run.items
    bits = (high - low).bit_length()
    if bits > ITEM_BITS:
        return None
    largest = top + 1.0 if plan.inputs.run_shape == "ranks" else run.largest
    scale = score_scale(facts, top, bits, largest)
    most_lists = None if run.queries is None else run.queries[1] - run.queries[0] + 1
    if scale is None:
        return None
    shape = plan.inputs.run_shape
    return PackedLists(plan, facts.session, shape, run.items, 2**bits, scale, top, parts, most_lists)


def _by_hash(facts: Facts, top: int, parts: Partitions) -> PackedLists | None:
    """Return the plan that packs a score and an item's hash in one number; None if they do not fit, or on ties."""
    plan, run = facts.plan, facts.run
    scale = score_scale(facts, top, ITEM_BITS, run.largest)
    if plan.inputs.run_shape != "scores" or not run.are_lists_counted or scale is None:
        return None
    if _equal_scores(facts, top) > facts.equal_scores:
        return None
    return PackedLists(plan, facts.session, "hashed", (0, 0), 2**ITEM_BITS, scale, top, parts)


def _equal_scores(facts: Facts, top: int) -> float:
    """Return the number of tied pairs to expect in the top of a list, from a sample of the scores."""
    samples = facts.samples("score_sample")
    equal = sum(sample["equal_pairs"] for sample in samples)
    pairs = sum(sample["row_count"] * (sample["row_count"] - 1) for sample in samples)
    length = facts.run.rows / facts.run.lists
    return float(equal / max(pairs, 1) * length * min(top, length) / 2)


def score_scale(facts: Facts, top: int, item_bits: int, largest: float) -> float | None:
    """Return the factor that makes scores fill the bits that items leave; None if they do not fit.

    A few scores may be too large if typical scores need the bits.
    """
    policies, run = facts.plan.policies, facts.run
    if policies.nulls == "last" or policies.min_score is not None:
        return None
    exact = facts.plan.inputs.score_type
    if exact is not None and not (isfinite(largest) and exact.fits_double(largest)):
        return None
    cells = 62 - item_bits  # the bits of a cell without its sign
    needed = ceil(log2(run.rows / run.lists * top / _SHARED_CELLS))
    if needed > cells:
        return None
    # Scores are below 2^exponent, also if trec_eval_9 rounds them. A scale below 1 could turn a score into 0, and a
    # scale far above 1 would itself be infinite.
    scale = cells - 1 - frexp(largest)[1] if isfinite(largest) else -inf
    if facts.plan.inputs.run_shape == "scores" and facts.typical_score:
        scale = max(scale, min(cells, needed + _SPARE_BITS) - 1 - frexp(facts.typical_score)[1])
    return ldexp(1.0, int(scale)) if 0 <= scale < 1000 else None
