"""Judge by lists: each judged query has a list of its labels, and a list of those in the top of its list.

A label is a relevance that is a whole number; graded says once for each label what it is worth. If the run holds the
labels, one scan finds both lists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from sqlglot import exp

from recall_duckdb.compose import Replacements, Statement
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.templates import seen_by
from recall_duckdb.fast import packed_lists
from recall_duckdb.fast.base import Facts, FastPlan, Prepared
from recall_duckdb.fast.packed_lists import PackedLists
from recall_duckdb.fast.partitions import MANY_PARTITIONS, Partitions, partitions

# The most bits of a label, and of an item with its label.
_LABEL_BITS, _CODE_BITS = 8, 62
# Lists of judgements cannot be partitioned and may take _SHARE of the memory limit; a judgement takes _CODE_BYTES.
_SHARE, _CODE_BYTES = 1 / 4, 32
# If lists average more judgements than this, reading rows is faster.
_SHORT_LIST = 64
# Of a list of a labelled run, _SPARE times as many labels are kept as the average list of a sample has, and at least
# _RELEVANT; lists with more are read again.
_SPARE, _RELEVANT, _MOST_RELEVANT = 2, 23, 128


@dataclass(frozen=True)
class LabelLists(FastPlan):
    """Lists of labels next to packed lists.

    Attributes:
        packed: the plan for the top of each list, and the fallback if labels are not whole numbers or are faulty.
        label_codes: a power of two above the highest label.
        judged_low: the smallest judged item.
        labelled: the plan of tops from which a labelled run is read, None if the qrels are a relation of their own.
        most_relevant: the number of labels above 0 to keep of each list of a labelled run.
    """

    packed: PackedLists
    label_codes: int
    judged_low: int
    labelled: PackedLists | None = None
    most_relevant: int = 0

    def replacements(self) -> Replacements:
        """Return the relations made from these lists."""
        return self.packed.replacements() | self._own_replacements(self.packed)

    def _own_replacements(self, packed: PackedLists) -> Replacements:
        is_labelled = packed.tops == "labelled"
        return Replacements(
            variants={"judged": "listed", "found_lists": "labelled" if is_labelled else "packed"},
            reads={("graded", "judgements"): "every_label"},
            parameters={
                "label_codes": self.label_codes,
                "judged_low": self.judged_low,
                "most_relevant": self.most_relevant,
            },
        )

    def settled_checks(self) -> frozenset[str]:
        """Return the checks that are needed only if a list is open or labels are faulty, as `prepare` finds out."""
        return self.packed.settled_checks() | self._of_labels()

    def _of_labels(self) -> frozenset[str]:
        """Return the checks that are needed only if labels are faulty."""
        if self.labelled is None:
            return seen_by("label_lists")
        return seen_by("label_lists") | seen_by("labelled_runs") | seen_by("open_labelled_runs")

    def prepare(self) -> Prepared:
        """Store the lists, and find out whether labels are faulty. If so, the packed lists remain."""
        return self._from_two_relations() if self.labelled is None else self._from_one_scan(self.labelled)

    def _from_two_relations(self) -> Prepared:
        tops, session = self.packed.prepare(), self.packed.session
        faster = replace(self.packed.plan, replacements=self.replacements())
        labels = session.store(Statement(faster).of_table("labels"))
        [(are_faulty,)] = session.rows(exp.select(exp.Max(this=trees.column("is_faulty"))).from_(labels.copy()))
        if are_faulty or not tops.bound:
            session.drop(labels)
            return tops | Prepared(unsettled=self._of_labels() if are_faulty else frozenset())
        return tops | Prepared(self._own_replacements(self.packed), {"labels": labels})

    def _from_one_scan(self, labelled: PackedLists) -> Prepared:
        session, replacements = labelled.session, labelled.replacements() | self._own_replacements(labelled)
        tops = packed_lists.store_tops(labelled.plan, session, replacements, labelled.partitions)
        totals = packed_lists.counts(tops, labelled.plan, session)
        if totals["crowded_lists"] and self._read_crowded(tops, labelled):
            totals = {**packed_lists.counts(tops, labelled.plan, session), "crowded_lists": 0}
        are_too_many_open = packed_lists.are_too_many_open(totals)
        if totals["crowded_lists"] or totals["faulty_lists"] or are_too_many_open:
            session.drop(tops)
            packed = self.packed.fall_back() if are_too_many_open else self.packed.prepare()
            return packed | Prepared(unsettled=self._of_labels())
        is_open = totals["open_lists"] > 0
        lists = Prepared(replacements | Replacements(parameters={"any_open": is_open}), {"tops": tops})
        checks = seen_by("open_lists") | seen_by("open_labelled_runs")
        return lists | packed_lists.open_lists(tops, labelled.plan, session, checks) if is_open else lists

    def _read_crowded(self, tops: exp.Table, labelled: PackedLists) -> bool:
        """Read the lists with too many labels again, and add them to the table; return False if they are too large."""
        session, bound = labelled.session, {"tops": tops}
        [(labels,)] = session.rows(Statement(labelled.plan, bound).of_table("crowded_labels"))
        if labels * _CODE_BYTES > _SHARE * session.resources[0]:
            return False
        whole = Replacements(
            reads={("tops", "labelled_numbers"): "crowded_numbers"},
            parameters={**Partitions().parameters(0), "most_relevant": None},
        )
        faster = replace(labelled.plan, replacements=labelled.replacements() | self._own_replacements(labelled) | whole)
        session.append(tops, Statement(faster, bound).of_table("tops"))
        return True


def choose(facts: Facts) -> FastPlan | None:
    """Use lists of labels if packed lists are used with items, and relevance is a small whole number."""
    qrels = facts.qrels
    if qrels is None or qrels.items is None or not qrels.are_items_small:
        return None
    if facts.plan.inputs.run_shape == "scores" and not facts.plan.has("labelled"):  # measured: saves less than 7 %
        return None
    if len(facts.plan.inputs.query) > 1 or qrels.largest >= 2**_LABEL_BITS:
        return None
    packed = packed_lists.choose(facts)
    label_bits, (low, high) = int(qrels.largest).bit_length(), qrels.items
    bits = (high - low).bit_length() + label_bits
    if packed is None or packed.tops == "hashed" or bits > _CODE_BITS:
        return None
    lists = LabelLists(packed, 2**label_bits, low)
    if not facts.plan.has("labelled"):
        is_short, taken = qrels.rows <= _SHORT_LIST * qrels.lists, qrels.rows * _CODE_BYTES
        return lists if is_short and taken <= _SHARE * facts.session.resources[0] else None
    return _of_one_scan(facts, lists, label_bits)


def _of_one_scan(facts: Facts, lists: LabelLists, label_bits: int) -> LabelLists | None:
    """Return the plan that reads a labelled run once; None if scores, items and labels do not fit in one number."""
    plan, packed = facts.plan, lists.packed
    if packed.tops != "scores" or not plan.only_relevant or plan.policies.semantics == "trec_eval_9":
        return None
    bits = packed.item_codes.bit_length() - 1 + label_bits
    scale = packed_lists.score_scale(facts, packed.top, bits, facts.run.largest)
    samples = facts.samples("label_sample")
    rows, relevant = (sum(sample[name] for sample in samples) for name in ("row_count", "relevant_rows"))
    if scale is None or any(sample["unusual_rows"] for sample in samples):
        return None
    expected = ceil(_SPARE * relevant / rows * facts.run.rows / facts.run.lists)
    most = max(expected, _RELEVANT)
    parts = partitions(plan, facts.session, facts.run, packed.top + most + 1, MANY_PARTITIONS)
    if most > _MOST_RELEVANT or parts is None:
        return None
    labelled = replace(packed, tops="labelled", score_scale=scale, partitions=parts)
    return replace(lists, labelled=labelled, most_relevant=most)
