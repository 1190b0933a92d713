"""Names of trec_eval and ir_measures that give other numbers than our metric of the same name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ir_measures
import pytest
import pytrec_eval
from asking import metric_file

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError
from recall_duckdb.question import metrics


def close(expected: float) -> Any:
    return pytest.approx(expected, rel=0, abs=1e-12)


WEIGHTS = ["0.1", "0.5", "1", "1.5", "2", "3", "4", "10", "12345.678"]


def test_the_weight_of_set_f_is_that_of_trec_eval_and_not_squared() -> None:
    """Its weight of 4 is the beta of 2."""
    run = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 4, "b": 3, "c": 2, "d": 1}}
    qrels = {"q1": {"a": 0, "b": 1, "c": 3, "x": 2, "y": 1}, "q2": {"a": 0, "d": 2, "x": 1}}
    for x in WEIGHTS:
        weight = float(x)
        of_q1 = (1 + weight) * (2 / 3) * (1 / 2) / (weight * (2 / 3) + 1 / 2)
        of_q2 = (1 + weight) * (1 / 4) * (1 / 2) / (weight * (1 / 4) + 1 / 2)
        theirs = pytrec_eval.RelevanceEvaluator(qrels, {f"set_F.{x}"}).evaluate(run)
        measure = ir_measures.SetF(beta=weight)
        others = {each.query_id: each.value for each in ir_measures.iter_calc([measure], qrels, run)}
        result = evaluate(run, qrels, f"set_F.{x}")
        assert [row[2] for row in sorted(result.per_query.fetchall())] == [close(of_q1), close(of_q2)]
        assert [theirs["q1"]["set_F"], others["q2"]] == [close(of_q1), close(of_q2)]
        for name in (f"SetF(beta={x})", f"set_F.{x}", f"set_F_{x}", str(measure)):
            assert result.value(name) == close((of_q1 + of_q2) / 2)
    # With relevance of 2 or more, q1 has 1 of 3 retrieved and 1 of 2 relevant.
    rows = evaluate(run, qrels, "SetF(beta=2.0, rel=2)").per_query.fetchall()
    assert sorted(rows)[0][2] == close(3 * (1 / 3) * (1 / 2) / (2 * (1 / 3) + 1 / 2))


@pytest.mark.parametrize(
    ("asked", "printed"),
    [
        *((f"set_F.{x}", f"set_F_{x}") for x in WEIGHTS if x != "1"), ("set_F.1", "set_F"), ("SetF", "set_F"),
        ("f1", "set_F"), ("fbeta(beta=2)", "set_F_4"), ("fbeta(beta=0.1)", "set_F_0.01"),
        ("fbeta(beta=2)@5", "fbeta(beta=2)@5"), ("SetF(beta=4,rel=2)", "fbeta(beta=2,threshold=2)"),
        ("iprec_at_recall.0.1", "iprec_at_recall_0.10"), ("iprec(recall=0.125)", "iprec(recall=0.125)"),
    ],
)  # fmt: skip
def test_the_format_trec_prints_the_names_of_trec_eval(asked: str, printed: str) -> None:
    assert evaluate({"q": ["a"]}, {"q": ["a"]}, asked).to_trec().splitlines()[-1].split("\t")[0].strip() == printed


@pytest.mark.parametrize("weight", ["0", "-1", "nan", "inf", "much", "1000001"])
def test_a_weight_of_set_f_whose_root_is_out_of_range_is_refused(weight: str) -> None:
    with pytest.raises(ArgumentError, match=r"beta is a number above 0 and at most 1000 .*, not 'sqrt\("):
        metrics.parse(f"SetF(beta={weight})")


def test_a_custom_spelling_may_compute_an_option(tmp_path: Path) -> None:
    also = "-- Also:   ScaledRecall (factor=$by), ScaledRecall (factor=3)\n"
    head = f"-- Option: $factor = 1 in (0, inf)\n-- Trec:   sr_$x (factor=sqrt($x))\n{also}"
    metric_file(tmp_path, "scaled_recall", "$factor * CAST(max(hits) AS DOUBLE) / max(relevant)", head=head)
    read = {
        text: str(metrics.parse(text, tmp_path)[0]) for text in ("sr_9", "ScaledRecall(by=2)", "ScaledRecall", "sr.16")
    }
    assert read == {
        "sr_9": "scaled_recall(factor=3)",
        "ScaledRecall(by=2)": "scaled_recall(factor=2)",
        "ScaledRecall": "scaled_recall(factor=3)",
        "sr.16": "scaled_recall(factor=4)",
    }


# In rank order and with p = 0.5, the shares of the ranks are 1/2, 1/4, 1/8.
GRADED_RUN: dict[str, list[Any]] = {
    "query": ["q1"] * 3 + ["q2"] * 2 + ["q3"] * 2,
    "item": list("cba") + list("da") + list("ab"),
    "score": [3, 2, 1, 2, 1, 2, 1],
}
GRADED: dict[str, list[Any]] = {
    # q1 retrieves relevance 0, 1, 3; its highest is 3. q2 retrieves -1, 1; its highest, 2, is not retrieved.
    # q3 retrieves 0.5, 0.25, both in [0, 1].
    "query": ["q1"] * 4 + ["q2"] * 3 + ["q3"] * 3,
    "item": list("abcx") + list("acd") + list("abc"),
    "relevance": [3, 1, 0, 2, 1, 2, -1, 0.5, 0.25, 0],
}


def values(asked: str, **policies: Any) -> list[float]:
    """Return the values of one metric for q1, q2 and q3."""
    return [row[2] for row in sorted(evaluate(GRADED_RUN, GRADED, asked, **policies).per_query.fetchall())]


BINARY = [1 / 4 + 1 / 8, 1 / 4, 1 / 2 + 1 / 4]
LINEAR = [1 / 4 + 3 / 8, 1 / 4, 0.5 / 2 + 0.25 / 4]
SCALED = [(1 / 4 + 3 / 8) / 3, (1 / 4) / 2, 0.5 / 2 + 0.25 / 4]


def test_rbp_sums_relevant_items_or_gains_or_gains_scaled_to_1() -> None:
    expected = {
        "rbp(p=0.5)": BINARY, "rbp(p=0.5,gain=binary)": BINARY, "RBP(p=0.5,rel=0.1)": BINARY,
        "rbp(p=0.5,gain=linear)": LINEAR, "RBP(p=0.5)": LINEAR, "rbp(p=0.5,gain=scaled)": SCALED, "rbp.p=0.5": SCALED,
        "rbp_p=0.5": SCALED, "rbp(p=0.5,gain=scaled)@2": [(1 / 4) / 3, (1 / 4) / 2, 0.5 / 2 + 0.25 / 4],
        "RBP(p=0.5)@1": [0, 0, 0.5 / 2],
    }  # fmt: skip
    assert {asked: values(asked) for asked in expected} == {
        asked: [close(value) for value in of_queries] for asked, of_queries in expected.items()
    }


@pytest.mark.parametrize(
    ("asked", "ours", "printed"),
    [
        ("rbp", "rbp", "rbp(gain=binary)"), ("rbp@10", "rbp@10", "rbp@10"), ("rbp(p=0.5)", "rbp(p=0.5)", "rbp(p=0.5)"),
        ("rbp(gain=binary)", "rbp", "rbp(gain=binary)"), ("rbp.p=0.9", "rbp(gain=scaled)", "rbp"),
        ("rbp.p=0.95", "rbp(p=0.95,gain=scaled)", "rbp_p=0.95"), ("rbp_p=0.8", "rbp(p=0.8,gain=scaled)", "rbp_p=0.8"),
        ("RBP", "rbp(p=0.8,gain=linear)", "rbp(p=0.8,gain=linear)"),
        ("RBP(rel=1)", "rbp(p=0.8,threshold=1)", "rbp(p=0.8,threshold=1)"),
        ("RBP(rel=2, p=0.9)@10", "rbp(threshold=2)@10", "rbp(threshold=2)@10"),
    ],
)  # fmt: skip
def test_the_format_trec_prints_rbp_only_for_trec_evals_rbp(asked: str, ours: str, printed: str) -> None:
    [metric] = metrics.parse(asked)
    assert str(metric) == ours
    assert metric.trec_name == printed
    assert [str(read) for read in metrics.parse(printed)] == ([ours] if printed != "rbp" else ["rbp"])


def test_a_threshold_changes_only_binary_gains() -> None:
    assert values("rbp(p=0.5)", threshold=2) == values("RBP(p=0.5,rel=2)") == [close(1 / 8), 0, 0]
    assert values("rbp(p=0.5)", threshold=0.3) == [close(3 / 8), close(1 / 4), close(1 / 2)]
    assert values("rbp(p=0.5,gain=linear)", threshold=2) == [close(value) for value in LINEAR]
    assert values("rbp(p=0.5,gain=scaled)", threshold=2) == [close(value) for value in SCALED]


@pytest.mark.parametrize("gain", ["linear", "scaled"])
def test_a_threshold_of_rbp_without_binary_gains_is_refused(gain: str) -> None:
    with pytest.raises(ArgumentError, match="the threshold has no effect here.*unless gain=binary"):
        metrics.parse(f"rbp(gain={gain},threshold=2)")


def test_binary_and_graded_rbp_with_the_same_threshold_share_a_pass() -> None:
    asked = metrics.parse(["rbp", "rbp(gain=linear)", "rbp.p=0.9", "ndcg@10", "recall@10"])
    assert len({metric.judging(None) for metric in asked}) == 1


HALVES = {"a": 0.5, "b": 1.5, "c": 0, "x": 1}  # trec_eval truncates to 0, 1, 0, 1


def test_relevance_of_one_half_is_relevant_with_a_gain_of_one_half(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q1 0 {item} {grade}\n" for item, grade in HALVES.items()))
    run = {"query": ["q1"] * 3, "item": list("abc"), "score": [3, 2, 1]}
    result = evaluate(run, qrels, ["rr", "precision@2", "recall", "dcg@1", "num_rel"])
    assert result.means.project("metric, value").fetchall() == [
        ("rr", 1), ("precision", 1), ("recall", close(2 / 3)), ("dcg", 0.5), ("num_rel", 3),
    ]  # fmt: skip


def test_threshold_1_reads_fractional_relevance_like_trec_eval() -> None:
    run = {"q1": {"a": 3, "b": 2, "c": 1}}
    truncated = {"q1": {item: int(grade) for item, grade in HALVES.items()}}
    asked = ["recip_rank", "P_2", "set_recall", "map", "bpref", "num_rel"]
    [theirs] = pytrec_eval.RelevanceEvaluator(truncated, {*asked, "P.2"} - {"P_2"}).evaluate(run).values()
    ours = evaluate(
        {"query": ["q1"] * 3, "item": list("abc"), "score": [3, 2, 1]},
        {"query": ["q1"] * 4, "item": list(HALVES), "relevance": list(HALVES.values())},
        asked,
        threshold=1,
    )
    assert {name: ours.value(name) for name in asked} == {name: close(theirs[name]) for name in asked}
