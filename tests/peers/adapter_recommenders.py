"""A pytest plugin that computes the ranking metrics in the tests of recommenders with recall_duckdb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from peers.strict import strict
from recommenders.evaluation import python_evaluation as theirs
from recommenders.utils.constants import DEFAULT_ITEM_COL, DEFAULT_PREDICTION_COL, DEFAULT_RATING_COL, DEFAULT_USER_COL

from recall_duckdb import evaluate

pytest_collection_modifyitems = strict({}, least=13)


def value(
    name: str, true: Any, pred: Any, user: str, item: str, prediction: str, rating: str | None = None, **more: Any
) -> float:
    """Return a metric over the users in both frames. Without a rating, all true rows are relevant."""
    qrels = true[[user, item]].assign(relevance=1 if rating is None else true[rating])
    run = pred[[user, item, prediction]]
    # Their lists may have duplicates, and they do not count users without judgements.
    policies: dict[str, Any] = {"missing": "skip", "duplicates": "best", **more}
    with evaluate(run, qrels, name, query=user, item=item, score=prediction, **policies) as result:
        found = result.value(name)
    assert found is not None
    return found


def ranking(metric: Callable[..., str]) -> Callable[..., float]:
    """Return a function with the signature of recommenders that computes our metric."""

    @theirs._check_column_dtypes  # type: ignore[untyped-decorator,unused-ignore]
    def function(
        rating_true: Any,
        rating_pred: Any,
        col_user: str = DEFAULT_USER_COL,
        col_item: str = DEFAULT_ITEM_COL,
        col_rating: str = DEFAULT_RATING_COL,
        col_prediction: str = DEFAULT_PREDICTION_COL,
        relevancy_method: str = "top_k",
        k: int = 10,
        score_type: str = "binary",
        **_: Any,
    ) -> float:
        assert relevancy_method == "top_k"
        name = metric(k)
        if name == "r_precision":  # theirs uses only the top k
            ordered = rating_pred.sort_values(col_prediction, ascending=False, kind="stable")
            rating_pred = ordered.groupby(col_user).head(k)
        rating = None
        if name.startswith("ndcg") and score_type != "binary":
            rating = col_rating
            name = name.replace("ndcg", "ndcg(gain=exponential)") if score_type == "exp" else name
        return value(name, rating_true, rating_pred, col_user, col_item, col_prediction, rating)

    return function  # type: ignore[no-any-return,unused-ignore]


def auc(
    rating_true: Any,
    rating_pred: Any,
    col_user: str = DEFAULT_USER_COL,
    col_item: str = DEFAULT_ITEM_COL,
    col_rating: str = DEFAULT_RATING_COL,
    col_prediction: str = DEFAULT_PREDICTION_COL,
) -> float:
    """Return the auc of all pairs in both frames, as one list."""
    keys = [col_user, col_item]
    truth = rating_true[[*keys, col_rating]].rename(columns={col_rating: "relevance"})
    both = truth.merge(rating_pred[[*keys, col_prediction]].rename(columns={col_prediction: "score"}), on=keys)
    both = both.assign(query="all", item=both[col_user].astype(str) + "/" + both[col_item].astype(str))
    with evaluate(both[["query", "item", "score", "relevance"]], metrics="auc") as result:
        found = result.value("auc")
    assert found is not None
    return found


def shown(reco_df: Any, col_user: str, col_item: str) -> tuple[Any, Any]:
    """Return a run and qrels for recommendations whose order and relevance do not matter."""
    rows = reco_df[[col_user, col_item]]
    return rows.assign(score=1.0), rows.assign(relevance=1)


@theirs._check_column_dtypes_novelty_coverage  # type: ignore[untyped-decorator,unused-ignore]
def catalog_coverage(
    train_df: Any, reco_df: Any, col_user: str = DEFAULT_USER_COL, col_item: str = DEFAULT_ITEM_COL
) -> float:
    """Return the coverage of the items in the training data."""
    catalog = train_df[[col_item]].drop_duplicates()
    run, qrels = shown(reco_df, col_user, col_item)
    with evaluate(run, qrels, "coverage", query=col_user, item=col_item, catalog=catalog) as result:
        found = result.value("coverage")
    assert found is not None
    return found


@theirs._check_column_dtypes_diversity_serendipity  # type: ignore[untyped-decorator,unused-ignore]
def user_diversity(
    train_df: Any,
    reco_df: Any,
    item_feature_df: Any = None,
    item_sim_measure: str = "item_cooccurrence_count",
    col_item_features: str = "features",
    col_user: str = DEFAULT_USER_COL,
    col_item: str = DEFAULT_ITEM_COL,
    col_sim: str = "sim",
    col_relevance: str | None = None,
) -> Any:
    """Return the diversity by features, or by similarities from co-occurrence in the training data."""
    if item_sim_measure == "item_feature_vector":
        features = [
            (item, f"f{place}", float(weight))
            for item, vector in zip(item_feature_df[col_item], item_feature_df[col_item_features], strict=True)
            for place, weight in enumerate(vector)
            if weight
        ]
        name, optional = "diversity", {"features": pd.DataFrame(features, columns=[col_item, "feature", "weight"])}
    else:
        known = theirs._get_cosine_similarity(train_df=train_df, col_user=col_user, col_item=col_item, col_sim=col_sim)
        pairs = known[known["i1"] < known["i2"]].rename(columns={"i1": col_item, "i2": "other", col_sim: "similarity"})
        name, optional = "pair_diversity", {"pairs": pairs}
    run, qrels = shown(reco_df, col_user, col_item)
    with evaluate(run, qrels, name, query=col_user, item=col_item, **optional) as result:
        rows = sorted((row[1], row[2]) for row in result.per_query.fetchall())
    return pd.DataFrame(rows, columns=[col_user, "user_diversity"])


def diversity(**arguments: Any) -> float:
    """Return the mean diversity over users."""
    return float(user_diversity(**arguments)["user_diversity"].mean())


theirs.precision_at_k = ranking("precision@{}".format)
theirs.recall_at_k = ranking("recall@{}".format)
theirs.ndcg_at_k = ranking("ndcg@{}".format)
theirs.map = ranking("ap@{}".format)
theirs.map_at_k = ranking("ap(over=capped)@{}".format)
theirs.r_precision_at_k = ranking("r_precision".format)
theirs.auc = auc
theirs.catalog_coverage = catalog_coverage
theirs.user_diversity = user_diversity
theirs.diversity = diversity
