"""A pytest plugin that computes DCG and nDCG in the tests of scikit-learn with recall_duckdb."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import sklearn.metrics._ranking as ranking
from peers.strict import strict

from recall_duckdb import evaluate

pytest_collection_modifyitems = strict({}, least=9)


def per_sample(metric: str, y_true: Any, y_score: Any, ties: Any) -> Any:
    """Return a metric for each sample. A sample is a query, and the columns of the arrays are its items."""
    samples, items = y_true.shape
    keys = {"query": np.repeat(np.arange(samples), items), "item": np.tile(np.arange(items), samples)}
    run = {**keys, "score": y_score.ravel().astype(float)}
    qrels = {**keys, "relevance": y_true.ravel().astype(float)}
    with evaluate(pd.DataFrame(run), pd.DataFrame(qrels), metric, ties=ties) as result:
        found = {row[1]: row[2] for row in result.per_query.fetchall()}
    return np.array([found[sample] for sample in range(samples)])


def dcg(y_true: Any, y_score: Any, k: int | None = None, log_base: float = 2, ignore_ties: bool = False) -> Any:
    """Replace `_dcg_sample_scores`. Our logarithms have base 2."""
    return per_sample(_name("dcg", k), y_true, y_score, _ties(ignore_ties)) * math.log2(log_base)


def ndcg(y_true: Any, y_score: Any, k: int | None = None, ignore_ties: bool = False) -> Any:
    """Replace `_ndcg_sample_scores`."""
    return per_sample(_name("ndcg", k), y_true, y_score, _ties(ignore_ties))


def _name(metric: str, k: int | None) -> str:
    return metric if k is None else f"{metric}@{k}"


def _ties(ignored: bool) -> str:
    return "item_desc" if ignored else "expected"


ranking._dcg_sample_scores, ranking._ndcg_sample_scores = dcg, ndcg
