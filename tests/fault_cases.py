"""Data with faults: for each check, data in which it finds its fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from recall_duckdb import check, evaluate, pool

Columns = dict[str, list[Any]]

RUN: Columns = {"query": ["q1", "q1", "q2", "q2"], "item": ["a", "b", "c", "d"], "score": [0.9, 0.8, 0.7, 0.6]}
QRELS: Columns = {"query": ["q1", "q1", "q2", "q2"], "item": ["a", "b", "c", "d"], "relevance": [0, 1, 1, 0]}
RANKS: Columns = {"query": RUN["query"], "item": RUN["item"], "rank": [1, 2, 1, 2]}
LISTS: Columns = {"query": ["q1", "q2"], "item": [["a", "b"], ["c", "d"]]}
LIKED: Columns = {"query": ["q1", "q2"], "item": [["b"], ["c"]]}
WEIGHTS: Columns = {"query": ["q1", "q2"], "weight": [1.0, 2.0]}
TIERS: Columns = {"item": ["a", "b", "c", "d"], "tier": ["x", "y", "x", "y"]}
METRICS = ["recall@1,2", "err@2", "ndcg(gain=exponential)@2"]

TWO_ROWS = """\
-- Two values for every query.
--
-- Grain:  two rows per (model, query).
SELECT
  model AS model,
  query AS query,
  CAST(rank AS DOUBLE) AS two_rows
FROM ranked
"""


def empty(columns: Columns) -> pl.DataFrame:
    return pl.DataFrame(columns).head(0)


def note(run: Any, qrels: Any, **arguments: Any) -> str:
    """Return the notes of `evaluate`, which some checks become."""
    return "; ".join(evaluate(run, qrels, **arguments).notes)


@dataclass
class Case:
    """Data with a fault: the number of faults, the first example, and the other checks that also find faults."""

    faults: int
    example: dict[str, Any] | None
    run: Any = field(default_factory=lambda: RUN)
    qrels: Any = field(default_factory=lambda: QRELS)
    arguments: dict[str, Any] = field(default_factory=dict)
    also: set[str] = field(default_factory=set)
    ask: Callable[..., Any] = check  # check finds some faults only with policies of its own


def by_tier(**columns: list[Any]) -> dict[str, Any]:
    """Return the arguments of slices of items, with these columns of items instead of sound ones."""
    return {"metrics": "recall@1,2", "item_by": "tier", "item_slices": {**TIERS, **columns}}


def sampled(queries: int, model: str | None = None) -> Columns:
    """Return lists of one relevant item and two others; no two queries share an item."""
    held = [(f"q{query:02}", f"{query}-{item}", 3.0 - item) for query in range(queries) for item in range(3)]
    names, items, scores = (list(column) for column in zip(*held, strict=True))
    columns = {"query": names, "item": items, "score": scores, "relevance": [float(score == 2) for score in scores]}
    return columns if model is None else {**columns, "model": [model] * len(names)}


# Lists of one near item and one far item; no two queries share an item.
DISTANCES: Columns = {
    "query": [f"q{query:02}" for query in range(16) for _ in range(2)],
    "item": [f"{query}-{item}" for query in range(16) for item in range(2)],
    "score": [float(item) for _ in range(16) for item in range(2)],
}
NEAREST: Columns = {**DISTANCES, "relevance": [float(score == 0) for score in DISTANCES["score"]]}

CASES = {
    "all_relevant": Case(1, None, qrels={**QRELS, "relevance": [1, 2, 1, 1]}, arguments={"metrics": "bpref"}, ask=note),
    "catalog_ids": Case(1, {"item": None}, arguments={"metrics": "coverage", "catalog": {"item": ["a", None]}}),
    "chunk_items": Case(
        2, {"query": "q1", "item": "b#1", "judged_item": "b"}, run={**RUN, "item": ["b#1", "y", "c_chunk_2", "z"]},
        also={"no_common_item", "unjudged_items"},
    ),
    "duplicates": Case(1, {"query": "q1", "item": "a"}, run={**RUN, "item": ["a", "a", "c", "d"]}, ask=evaluate),
    "empty_models": Case(1, {"model": "two"}, run={"one": RUN, "two": empty(RUN)}),
    "empty_qrels": Case(1, None, qrels=empty(QRELS), also={"unjudged_queries", "no_common_item"}),
    "empty_run": Case(1, None, run=empty(RUN), also={"missing", "no_common_query", "no_common_item"}),
    "exclude_ids": Case(
        1, {"query": "q1", "item": None}, arguments={"exclude": {"query": ["q1", "q1"], "item": [None, "a"]}},
        also={"short"},
    ),
    "exclude_text_lists": Case(
        1, {"query": "q1", "item": "['a']"}, arguments={"exclude": {"query": ["q1"], "item": ["['a']"]}},
        also={"no_common_exclude"},
    ),
    "features": Case(
        2, {"item": "a", "feature": "red", "weight": None},
        arguments={
            "metrics": "diversity@2",
            "features": {"item": ["a", "b"], "feature": ["red", None], "weight": [None, 1.0]},
        },
    ),
    "forgotten_columns": Case(1, None, run="run.csv", qrels={**QRELS, "query": ["1"] * 4}, ask=evaluate),
    "fractional_ids": Case(
        1, None, run={**RUN, "query": [1.0, 1.0, 1.5, 1.5]}, qrels={**QRELS, "query": [1, 1, 2, 2]}, ask=evaluate
    ),
    "gains": Case(
        1, {"query": "q1", "item": "b", "relevance": 40.0}, qrels={**QRELS, "relevance": [0, 40, 39.5, 0]},
        arguments={"metrics": "ndcg(gain=exponential)@2"},
    ),
    "grades": Case(
        1, {"query": "q1", "item": "b", "relevance": 5.0}, qrels={**QRELS, "relevance": [0, 5, 4, 0]},
        arguments={"metrics": ["err@2", "err(max_grade=7)@2"]},
    ),
    "inexact_ids": Case(
        1, None, run={**RUN, "query": [1e20] * 4}, qrels={**QRELS, "query": [1, 1, 2, 2]}, ask=evaluate
    ),
    "inexact_scores": Case(
        1, {"model": "counts", "query": "q1", "score": 2.0**53, "lowest": 2**53, "highest": 2**53 + 1},
        run={"counts": {**RUN, "score": [2**53 + 1, 2**53, 2, 1]}, "shares": RUN}, also={"ties"},
    ),
    "item_map_ids": Case(
        1, {"item": "a", "unit": None}, arguments={"item_map": {"item": ["a"], "unit": [None]}},
        also={"no_common_units", "run_ids", "qrels_ids"},
    ),
    "item_slices_duplicates": Case(1, {"item": "a", "copies": 2}, arguments=by_tier(item=["a", "b", "c", "a"])),
    "item_slices_ids": Case(1, {"item": None}, arguments=by_tier(item=["a", "b", "c", None])),
    "item_slices_missing": Case(1, {"item": "c", "queries": 1}, arguments=by_tier(tier=["x", "y", None, "y"])),
    "items_ids": Case(1, {"item": None}, arguments={"items": {"item": ["a", "b", "c", "d", None]}}),
    "joined_items": Case(
        1, {"query": "q1", "item": "a b"}, qrels={"query": ["q1", "q2"], "item": ["a b", "c"], "relevance": [1, 1]}
    ),
    "list_duplicates": Case(
        1, None, ask=evaluate,
        qrels={"query": ["q1", "q2"], "item": [["b", "b"], ["c"]], "relevance": [[1, 0], [1]]},
    ),
    "list_lengths": Case(1, None, ask=evaluate, run={**LISTS, "score": [[0.9], [0.8, 0.7]]}),
    "lists": Case(
        1, {"query": "q1", "items": 3, "longest": 2},
        run={"query": ["q1", "q1", "q2"], "item": [["a", "b"], ["e"], ["c", "d"]]},
        qrels=LIKED,
    ),
    "lost_models": Case(
        1, {"system": "two"},
        run={"query": ["q1", "q2", "q1"], "item": [["a", "b"], ["c", "d"], []], "system": ["one", "one", "two"]},
        qrels=LIKED, arguments={"model": "system"},
    ),
    "low_grades": Case(3, {"relevance": 1.0}, qrels={**QRELS, "relevance": [1, 2, 3, 1]}, ask=note),
    "metric_rows": Case(2, {"query": "q1", "copies": 2}, arguments={"metrics": "two_rows"}, ask=evaluate),
    "missing": Case(1, {"query": "q2"}, run={name: values[:2] for name, values in RUN.items()}),
    "mixed_labels": Case(
        1, {"query": "q1", "item": "a"}, qrels=None, arguments={"metrics": "recall@1"}, ask=evaluate,
        run={"query": ["q1", "q1"], "item": ["a", "a"], "score": [2.0, 1.0], "relevance": [0, 1]},
    ),
    "near_exclude": Case(
        1, {"query": "q1", "item": "a", "excluded_query": "q1", "excluded_item": "A"},
        arguments={"exclude": {"query": ["q1", "q2"], "item": ["A", "d"]}}, also={"short"},
    ),
    "near_items": Case(
        1, {"query": "q1", "item": "01", "judged_item": "1", "difference": "leading zeros"}, also={"unjudged_items"},
        run={**RUN, "item": ["01", "b", "c", "d"]}, qrels={**QRELS, "item": ["1", "b", "c", "d"]},
    ),
    "near_queries": Case(
        1, {"query": "Q2", "judged_query": "q2", "difference_of_query": "case"},
        run={**RUN, "query": ["q1", "q1", "Q2", "Q2"]}, also={"missing", "unjudged_queries"},
    ),
    "negative_relevance": Case(
        1, {"query": "q1", "item": "a", "relevance": -1.0}, qrels={**QRELS, "relevance": [-1, 1, 1, 0]}, ask=note
    ),
    "no_common_catalog": Case(1, None, arguments={"metrics": "coverage", "catalog": {"item": ["x"]}}),
    "no_common_exclude": Case(
        1, {"query": "q1", "item": "a", "excluded_query": "q1", "excluded_item": "x"},
        arguments={"exclude": {"query": ["q1", "q9"], "item": ["x", "a"]}},
    ),
    "no_common_features": Case(
        1, None, arguments={"metrics": "diversity", "features": {"item": ["x"], "feature": ["red"]}}
    ),
    "no_common_item": Case(
        1, {"candidates": 4, "item": "w", "judged_item": "a"}, run={**RUN, "item": ["w", "x", "y", "z"]},
        also={"unjudged_items"},
    ),
    "no_common_items": Case(1, None, arguments={"items": {"item": ["x"]}}, also={"no_judgements"}),
    "no_common_obvious": Case(
        1, None, arguments={"metrics": "unexpectedness", "obvious": {"query": ["q1"], "item": ["x"]}}
    ),
    "no_common_pairs": Case(
        1,
        None,
        arguments={"metrics": "pair_diversity", "pairs": {"item": ["x"], "other": ["a"], "similarity": [1.0]}},
    ),
    "no_common_query": Case(
        2, {"query": "q1"}, run={**RUN, "query": ["x", "x", "y", "y"]},
        also={"missing", "unjudged_queries", "no_common_item"},
    ),
    "no_common_query_slices": Case(
        1, None,
        arguments={"by": "land", "query_slices": {"query": ["x", "y"], "land": ["NL", "BE"]}, "nulls": "drop"},
        ask=evaluate,
    ),
    "no_common_training": Case(1, None, arguments={"metrics": "novelty", "training": {"query": ["q0"], "item": ["x"]}}),
    "no_common_units": Case(1, None, arguments={"item_map": {"item": ["x"], "unit": ["y"]}}),
    "no_judgements": Case(
        1, None, run={**RUN, "item": ["a", "w", "c", "x"]}, arguments={"items": {"item": ["w", "x"]}},
        also={"unjudged_queries"},
    ),
    "no_relevant": Case(1, {"query": "q2"}, qrels={**QRELS, "relevance": [0, 1, 0, 0]}),
    "nothing_relevant": Case(1, None, qrels={**QRELS, "relevance": [0, 0, 0, 0]}, also={"no_relevant"}),
    "obvious_ids": Case(
        1, {"query": "q1", "item": None},
        arguments={"metrics": "unexpectedness@2", "obvious": {"query": ["q1", "q1"], "item": [None, "a"]}},
    ),
    "one_score": Case(
        1, {"score": 1.0, "longest": 2}, run={**DISTANCES, "score": [1.0] * 32}, qrels=NEAREST, ask=note,
        arguments={"metrics": "recall@1"},
    ),
    "one_unit": Case(
        1, {"unit": "b", "items": 5},
        run={"query": ["q1"] * 3 + ["q2"] * 2, "item": [f"b#{part}" for part in range(5)], "score": [5, 4, 3, 2, 1]},
        qrels={**QRELS, "item": ["b", "c", "b", "d"]}, ask=note,
        arguments={"item_map": "split_part(item, '#', 1)", "metrics": "recall"},
    ),
    "padding": Case(
        1, {"query": "q2", "item": -1}, run={**RUN, "item": [1, 2, 3, -1]},
        qrels={**QRELS, "item": [1, 2, 3, 4], "relevance": [1] * 4},
    ),
    "pairs": Case(
        1, {"item": "a", "other": "b", "similarity": 2.0},
        arguments={"metrics": "pair_diversity@2", "pairs": {"item": ["a"], "other": ["b"], "similarity": [2.0]}},
    ),
    "pool_duplicates": Case(1, {"query": "q1", "item": "a"}, run={**RUN, "item": ["a", "a", "c", "d"]}, ask=pool),
    "qrels_duplicates": Case(
        1, {"query": "q2", "item": "d", "copies": 2, "lowest": 0.0, "highest": 3.0},
        qrels={"query": [*QRELS["query"], "q2"], "item": [*QRELS["item"], "d"], "relevance": [*QRELS["relevance"], 3]},
    ),
    "qrels_ids": Case(
        2, {"query": "q1", "item": None, "relevance": 0.0},
        qrels={
            "query": [*QRELS["query"], None, "q1"], "item": [*QRELS["item"], "a", None],
            "relevance": [*QRELS["relevance"], 0, 0],
        },
    ),
    "qrels_joined_ids": Case(
        1, {"query": "q1", "item": "a b"}, qrels={"query": ["q1", "q2"], "item": ["a b", "x"], "relevance": [1, 1]},
        also={"no_common_item"},
    ),
    "qrels_list_items": Case(
        1, {"query": "q1", "item": None}, run=LISTS, qrels={**LIKED, "item": [["b", None], ["c"]]},
        arguments={"nulls": "drop"}, ask=evaluate,
    ),
    "qrels_padding": Case(
        1, {"query": 1, "item": -1}, run={"query": [1], "item": [[5, 6]]},
        qrels={"query": [1], "item": [[5, -1]]}, arguments={"relevance": None},
    ),
    "qrels_range": Case(
        2, {"query": "q1", "item": "b", "relevance": 1e12}, qrels={**QRELS, "relevance": [0, 1e12, float("inf"), 0]},
        arguments={"metrics": "recall@2"},
    ),
    "qrels_relevance": Case(
        2, {"query": "q1", "item": "e"},
        qrels={
            "query": [*QRELS["query"], "q1", "q2"], "item": [*QRELS["item"], "e", "f"],
            "relevance": [*QRELS["relevance"], None, float("nan")],
        },
    ),
    "qrels_text_lists": Case(
        1, {"query": "q1", "item": "['a', 'b']"}, qrels={**QRELS, "item": ["['a', 'b']", "b", "c", "d"]},
        also={"unjudged_items"},
    ),
    "query_slices_duplicates": Case(
        1, {"query": "q1", "copies": 2},
        arguments={"by": "country", "query_slices": {"query": ["q1", "q2", "q1"], "country": ["NL", "DE", "NL"]}},
    ),
    "query_slices_ids": Case(
        1, {"query": None},
        arguments={"by": "country", "query_slices": {"query": ["q1", "q2", None], "country": ["NL", "DE", "DE"]}},
    ),
    "ranks": Case(
        1, {"query": "q1", "items": 2, "smallest": 1, "largest": 3}, run={**RANKS, "rank": [1, 3, 1, 2]},
        arguments={"rank": "rank"}, also={"short"},
    ),
    "ranks_gap": Case(
        1, {"query": "q1", "depth": 2, "items": 1, "largest": 3}, run={**RANKS, "rank": [1, 3, 1, 2]},
        arguments={"rank": "rank", "metrics": "recall@2"}, ask=evaluate,
    ),
    "ranks_given": Case(
        1, {"query": "q1", "items": 2, "smallest": 0, "repeated": 0},
        run={**{name: RUN[name] for name in ("query", "item")}, "rank": [0, 3, 1, 2]},
        arguments={"rank": "rank", "ranks": "given"}, ask=evaluate,
    ),
    "relevant_exclude": Case(
        1, {"relevant": 16, "excluded": 16}, run=DISTANCES, qrels=NEAREST,
        arguments={"exclude": {name: DISTANCES[name][::2] for name in ("query", "item")}}, ask=note,
    ),
    "reversed_scores": Case(1, {"relevant": 16, "percent_above": 100}, run=DISTANCES, qrels=NEAREST, also={"sampled"}),
    "run_duplicates": Case(
        1, {"query": "q1", "item": "a", "copies": 2},
        run={"query": [*RUN["query"], "q1"], "item": [*RUN["item"], "a"], "score": [*RUN["score"], 0.1]},
    ),
    "run_ids": Case(
        2, {"query": "q1", "item": None},
        run={
            "query": [*RUN["query"], "q1", None], "item": [*RUN["item"], None, "a"], "score": [*RUN["score"], 0.1, 0.1],
        },
    ),
    "run_infinite": Case(
        2, {"query": "q1", "item": "a", "score": float("inf")},
        run={**RUN, "score": [float("inf"), 0.8, 0.7, -float("inf")]},
    ),
    "run_list_items": Case(
        1, {"query": "q1", "item": None}, run={**LISTS, "item": [["a", None], ["c"]]}, qrels=LIKED,
        arguments={"nulls": "drop"}, ask=evaluate,
    ),
    "run_ranks": Case(
        1, {"query": "q1", "item": "e"},
        run={"query": [*RUN["query"], "q1"], "item": [*RUN["item"], "e"], "rank": [1, 2, 1, 2, None]},
        arguments={"rank": "rank"}, also={"ranks"},
    ),
    "run_scores": Case(
        2, {"query": "q1", "item": "e"},
        run={
            "query": [*RUN["query"], "q1", "q2"], "item": [*RUN["item"], "e", "f"],
            "score": [*RUN["score"], None, float("nan")],
        },
    ),
    "run_text_lists": Case(
        1, {"query": "q1", "item": '["a"]'}, run={**RUN, "item": ['["a"]', "b", "c", "d"]}, also={"unjudged_items"}
    ),
    "sampled": Case(
        1, {"queries": 10, "longest": 3, "others": 2, "distinct_items": 30}, run=sampled(10), qrels=None,
        arguments={"metrics": "recall@2"},
    ),
    "short": Case(2, {"query": "q1", "candidates": 2}, arguments={"metrics": "recall@3"}),
    "single_candidates": Case(1, None, run="run.csv", arguments={"columns": "query,item,score"}, ask=note),
    "slice_nulls": Case(
        1, {"query": "q2", "land": None}, qrels={**QRELS, "land": ["NL", "NL", None, None]}, arguments={"by": "land"}
    ),
    "slices_of_qrels": Case(
        1, {"query": "q1"}, qrels={**QRELS, "land": ["NL", "BE", "BE", "BE"]}, arguments={"by": "land"}
    ),
    "slices_of_run": Case(1, {"query": "q1"}, run={**RUN, "land": ["NL", "BE", "BE", "BE"]}, arguments={"by": "land"}),
    "spelled_ids": Case(1, None, run="run.csv", qrels={**QRELS, "query": [1, 1, 2, 2]}, ask=evaluate),
    "swapped_columns": Case(
        1, {"query": "c", "item": "q2"}, run={"query": ["c", "x"], "item": ["q2", "q9"], "score": [2, 1]},
        also={"missing", "no_common_item", "no_common_query", "unjudged_queries"},
    ),
    "ties": Case(
        1, {"query": "q1", "k": 1, "score": 0.9, "tied": 2, "places": 1, "relevant": 1},
        run={**RUN, "score": [0.9, 0.9, 0.7, 0.6]},
    ),
    "training_ids": Case(
        1,
        {"query": None, "item": "a"},
        arguments={"metrics": "novelty", "training": {"query": ["q0", None], "item": ["b", "a"]}},
    ),
    "trec_lines": Case(1, None, run="run.txt", ask=evaluate),
    "unit_of_unit": Case(
        1, {"item": "b", "other_unit": "c"}, arguments={"item_map": {"item": ["a", "b"], "unit": ["b", "c"]}}
    ),
    "unjudged_items": Case(2, {"query": "q2", "share": 1.0, "unjudged": 2}, run={**RUN, "item": ["a", "x", "y", "z"]}),
    "unjudged_queries": Case(
        1, {"query": "q3", "candidates": 2},
        run={"query": [*RUN["query"], "q3", "q3"], "item": [*RUN["item"], "a", "b"], "score": [*RUN["score"], 2, 1]},
    ),
    "unlike_forms": Case(
        1, None, run={**RUN, "item": ["A", "b", "c", "d"]}, arguments={"ties": "expected", "metrics": "rr"}, ask=note
    ),
    "unlike_items": Case(
        1, {"item": "0", "judged_item": "d0"}, ask=evaluate,
        run={"query": ["q1"] * 10, "item": [str(number) for number in range(10)], "score": [1] * 10},
        qrels={"query": ["q1"] * 10, "item": [f"d{number}" for number in range(10)], "relevance": [1] * 10},
    ),
    "unnamed_models": Case(1, None, run="run.csv", ask=evaluate),
    "unread_grades": Case(
        1, None, ask=evaluate, arguments={"qrels_item": "judged.id"},
        qrels={"query": ["q1", "q2"], "judged": [[{"id": "b", "grade": 0}], [{"id": "c", "grade": 1}]]},
    ),
    "unread_scores": Case(
        1, {"item": ["a", "b"], "y_pred": [0.1, 0.9]}, run={**LISTS, "y_pred": [[0.1, 0.9], [0.9, 0.1]]}
    ),
    "unsplit_ids": Case(1, None, run="run.csv", ask=evaluate),
    "weights": Case(1, {"query": "q2", "weight": -1.0}, arguments={"weights": {**WEIGHTS, "weight": [1, -1]}}),
    "weights_duplicates": Case(
        1, {"query": "q1", "copies": 2}, arguments={"weights": {"query": ["q1", "q1", "q2"], "weight": [1, 1, 1]}}
    ),
    "weights_missing": Case(1, {"query": "q2"}, arguments={"weights": {"query": ["q1"], "weight": [1.0]}}),
    "weights_range": Case(
        1, {"query": "q1", "share_of_largest": 1.1368683772161603e-13},
        arguments={"weights": {"query": ["q1", "q2"], "weight": [1.0, 2.0**43]}},
    ),
}  # fmt: skip


# Faults found when a file is read: the text of the file, and the part that the message quotes.
FILES = {
    "forgotten_columns": ("arm,query,item,score\nx,1,a,9\nx,1,b,8\ny,1,b,0.7\ny,1,a,0.6\n", "arm='x' and arm='y'"),
    "single_candidates": ("q1,a,0.9\nq2,c,0.8\n", ""),
    "spelled_ids": ("query,item,score\n1,a,0.9\n01,b,0.8\n", "'01'"),
    "trec_lines": ("q1 Q0 a 1 0.9 mine\nq1 Q0 b 2 mine\n", "'q1 Q0 b 2 mine'"),
    "unnamed_models": ("query,item,score,model\n1,a,0.9,bm25\n1,b,0.8,dense\n", "'bm25'"),
    "unsplit_ids": ("query,item\nq1,a b\nq2,c d\n", "'a b'"),
}

# Checks that run only on DuckDB: of lists, of files, and with regular expressions.
ONLY_DUCKDB = {
    *("lists", "lost_models", "qrels_list_items", "run_list_items", "trec_lines", "spelled_ids", "qrels_padding"),
    *("forgotten_columns", "fractional_ids", "inexact_ids", "unnamed_models", "unsplit_ids", "one_unit", "one_score"),
    *("all_relevant", "chunk_items", "low_grades", "near_exclude", "near_items", "near_queries", "negative_relevance"),
    *("list_duplicates", "list_lengths", "relevant_exclude", "single_candidates", "unread_grades", "unread_scores"),
    *("joined_items", "qrels_joined_ids", "swapped_columns", "unlike_forms", "unlike_items"),
}

# Texts that are lists, and ids that have brackets but are no lists.
TEXT_LISTS = [
    "['b', 'x']", '["b"]', "['b' 'x']", "{'b'}", "('b', 'x')", "[b, x]", "{b,x}", "[1, 2]", "[7]", "[]", '{"b": 1}',
]  # fmt: skip
BRACKETED_IDS = [
    "[REC]", "(500) Days", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "[Na+].[Cl-]", "[2H]C[2H]", "[[Paris, Texas]]",
]  # fmt: skip
