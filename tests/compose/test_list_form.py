"""The list form of a metric is made from its file, and gives the values of its rows."""

from __future__ import annotations

from forms import assert_same, in_lists, in_rows

from recall_duckdb.definitions import templates

IN_LISTS = {
    *("ap", "average_rank", "bpref", "capped_recall", "dcg", "err", "f1", "fall_out", "fbeta", "gain_recall"),
    *("hit_rate", "hits", "inf_ap", "iprec", "judged", "ncg", "ndcg", "num_nonrel_judged_ret", "num_q", "num_rel"),
    *("num_rel_ret", "num_ret", "precision", "r_precision", "r_precision_mult", "rbp", "rbp_residual", "recall", "rr"),
    *("set_ap", "unjudged", "utility", "abstention", "clicks", "recall_all"),
}
ONLY_IN_ROWS = {
    *("auc", "partial_auc", "eleven_point", "ndcg_r", "ndcg_rel", "normalized_gain"),
    *("coverage", "gini", "overlap"),  # of a whole run
    *("diversity", "pair_diversity", "novelty", "popularity", "serendipity", "unexpectedness"),  # read other relations
}
RUN = {
    "query": [1] * 6 + [2] * 3 + [3],
    "item": [4, 2, 7, 1, 5, 3, 9, 8, 7, 1],
    "score": [0.9, 0.8, 0.8, 0.5, 0.4, 0.1, 0.7, 0.7, 0.7, 1.0],
}
QRELS = {
    "query": [1] * 6 + [2] * 3 + [4] * 2,
    "item": [2, 4, 5, 6, 3, 0, 7, 8, 1, 1, 2],
    "relevance": [3, 0, 1, 2, -1, 4, 1, 0, 2, 0, 1],
}


def test_a_metric_has_a_list_form_if_its_rows_are_judged_items_of_one_query() -> None:
    found = {name for name, template in templates.own_metrics().items() if template.may_be_in_lists}
    assert found == {*IN_LISTS, "partial_auc"}
    assert {*templates.own_metrics()} == IN_LISTS | ONLY_IN_ROWS
    assert in_lists(RUN, QRELS, "partial_auc@3") is None


def test_the_list_form_gives_the_values_of_rows() -> None:
    known = [(name, templates.own_metrics()[name]) for name in sorted(IN_LISTS)]
    cut = [f"{name}@1,3,50" for name, template in known if "k" in template.parameters and "Depth" in template.head]
    metrics = [*cut, *(name for name, template in known if "Cutoff" not in template.head)]
    found = in_lists(RUN, QRELS, metrics)
    assert found is not None
    assert_same(found, in_rows(RUN, QRELS, metrics))
