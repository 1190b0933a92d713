"""Jinja's loops for the stand-in columns and joins that a statement repeats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Loop(NamedTuple):
    """A loop (or `if`) around each copy of a stand-in column, and the names of columns in it."""

    head: str
    columns: Mapping[str, str]
    aliases: Mapping[str, str] = {}
    may_be_empty: bool = False

    def wrap(self, text: str) -> str:
        """Wrap a text in the loop."""
        return f"{{% {self.head} %}}{text}{{% end{self.head.split()[0]} %}}"


# Joins with optional relations, and the parameter that decides them.
JOINED = {
    "excluded": "exclude",
    "listed": "items",
    "judged_items": "judged_only",
    "slices": "query_sliced",
    "numbered_slices": "item_sliced",
    "weighted": "weighted",
}
# Joins that may be repeated, and Jinja's name for each.
SEVERAL = {
    "others_measured": ("for judging in q.judgings[1:]", "judging.measured"),
    "metric_of_queries": ("for m in q.metrics if not m.plain and not m.whole_run", "m.column"),
    "metric_of_runs": ("for m in q.metrics if not m.plain and m.whole_run", "m.column"),
}
METRIC = {
    "raw": "{{ m.column }}_raw",
    "relevant_items": "{{ q.judgings[m.judging].relevant_items }}",
    "value": "{{ m.column }}",
    "value_mean": "{{ m.column }}_mean",
    "value_queries": "{{ m.column }}_queries",
}
# The columns of each metric in a comparison.
COMPARED = {
    "value_of_metric": "{{ m.column }}",
    "base_of_metric": "{{ m.column }}_base",
    "largest_of_metric": "{{ m.column }}_largest",
    "number_of_metric": "{{ m.number }}",
}
SLICE = Loop(
    "for slice in q.slices",
    {
        "slice": "{{ slice.column }}",
        "level_slice": "level_{{ slice.column }}",
        "base_slice": "base_{{ slice.column }}",
        "item_slice": "item_{{ slice.column }}",
    },
    may_be_empty=True,
)
LOOPS = {
    "model": Loop("if q.models", {}, may_be_empty=True),
    "query": Loop("for query in q.queries", {"query": "{{ query.column }}"}),
    "item_slice_no": Loop("if q.item_sliced", {}, may_be_empty=True),
    "query_weight": Loop("if q.has_weights", {}, may_be_empty=True),
    **dict.fromkeys(("slice", "level_slice", "base_slice", "item_slice"), SLICE),
    **dict.fromkeys(("raw", "value", "value_mean", "value_queries"), Loop("for m in q.metrics", METRIC)),
    **{
        name: Loop(
            f"for {name} in source.{name}s",
            {name: f"{{{{ {name}.expression }}}}"},
            {name: f"{{{{ {name}.column }}}}"},
            may_be_empty=name != "name",
        )
        for name in ("name", "number", "extra")
    },
}
_OF_COMPARISON = dict.fromkeys(COMPARED, Loop("for m in q.metrics", COMPARED))
_OF_RESULT = {
    "level_slice": Loop(
        "for slice in q.slices",
        {"level_slice": "level_{{ slice.column }}"},
        {"slice": "{{ slice.name }}"},
        may_be_empty=True,
    ),
}
# Relations that are read only with slices of items, so that there is always a slice column.
_OF_ITEMS = dict.fromkeys(("slice", "item_slice"), SLICE._replace(may_be_empty=False))
# Checks that apply only if there are weights.
_OF_WEIGHTS = {"query_weight": Loop("for weight in [1]", {})}
# Relations and checks with other loops.
OWN_LOOPS: Mapping[str, Mapping[str, Loop]] = {
    **dict.fromkeys(("weights_missing", "weights_range"), _OF_WEIGHTS),
    "no_common_exclude": {
        "query": LOOPS["query"]._replace(aliases={"excluded_query": "excluded_{{ query.column }}"}),
        "excluded_query": Loop("for query in q.queries", {"excluded_query": "excluded_{{ query.column }}"}),
    },
    **dict.fromkeys(("scales", "pairs"), _OF_COMPARISON),
    "paired_means": _OF_RESULT,
    "qrels": {
        "slice": Loop("for slice in q.qrels_slices", {"slice": "{{ slice.column }}"}, may_be_empty=True),
    },
    "numbered_items": _OF_ITEMS,
    "numbered_slices": _OF_ITEMS,
    "measured": {
        "relevant": Loop("for judging in [q.judging]", {}, {"relevant_items": "{{ judging.relevant_items }}"}),
        "raw": Loop(
            "for m in q.metrics if m.plain and m.judging == q.judging.number",
            {"raw": "{{ recall_duckdb.metric(q, m) | trim | indent(2) }}"},
            {"raw": "{{ m.column }}_raw"},
            may_be_empty=True,
        ),
    },
    "per_query": {
        "relevant_items": Loop(
            "for judging in q.judgings",
            {"relevant_items": "{{ judging.relevant_items }}"},
            {"relevant": "{{ judging.relevant }}"},
        )
    },
    "means": {
        "model": Loop(
            "for model in ['model' if q.models else q.only_model]", {"model": "{{ model }}"}, {"model": "model"}
        ),
        **_OF_RESULT,
    },
}
