"""Names of metrics: options and cutoffs, the spellings of trec_eval and ir_measures, and mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import ir_measures
import pytest
from asking import fails, metric_file

from recall_duckdb import evaluate
from recall_duckdb.definitions import templates
from recall_duckdb.errors import ArgumentError, UnknownNameError
from recall_duckdb.question import metrics
from recall_duckdb.question.spellings import WITHOUT_METRIC
from recall_duckdb.result import Result


def names(asked: str | list[str]) -> list[str]:
    return [str(metric) for metric in metrics.parse(asked)]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("recall", ["recall"]),
        ("recall@5", ["recall@5"]),
        ("recall@5,10", ["recall@5", "recall@10"]),
        (" recall @ 5, 10 , rr ", ["recall@5", "recall@10", "rr"]),
        (["recall@10", "rr", "recall@10"], ["recall@10", "rr"]),
        ("ndcg(gain=exponential)@10", ["ndcg(gain=exponential)@10"]),
        ("ndcg(gain=exponential)@5,10", ["ndcg(gain=exponential)@5", "ndcg(gain=exponential)@10"]),
        ("ndcg(gain=binary,threshold=2)@5,rr", ["ndcg(gain=binary,threshold=2)@5", "rr"]),
        ("ndcg(gain=2:5,1:1.50)@5", ["ndcg(gain=1:1.5,2:5)@5"]),
        ("precision(threshold=2)@5", ["precision(threshold=2)@5"]),
        ("rbp(p=0.5),rbp(p=0.95)", ["rbp(p=0.5)", "rbp(p=0.95)"]),
        ("fbeta(beta=2.0)@5", ["fbeta(beta=2)@5"]),
        ("ap( over = 'capped' , mean = \"geometric\" )@5", ["ap(over=capped,mean=geometric)@5"]),
        ("recall(mean=sum,threshold=2)", ["recall(threshold=2,mean=sum)"]),
        ("recall_at_10,NDCG_at_5", ["recall@10", "ndcg@5"]),
        ("map_at_10,p_at_10,hit_at_5", ["ap@10", "precision@10", "hit_rate@5"]),
        ("ndcg_at_10(gain=exponential)", ["ndcg(gain=exponential)@10"]),
    ],
)
def test_a_name_has_options_in_parentheses_and_cutoffs_after_an_at_sign(asked: str, shown: list[str]) -> None:
    assert names(asked) == shown


def test_an_option_with_its_default_is_not_shown() -> None:
    """The table has the default of every option in the heads of metrics."""
    of_policy = None  # `precision`, which is known later
    defaults: dict[str, dict[str, object]] = {
        "ap": {"over": "relevant"}, "dcg": {"base": 2, "discount": "trec_eval"}, "err": {"max_grade": 4},
        "f1@5": {"over": of_policy}, "fall_out": {"of": "retrieved"}, "fbeta@5": {"beta": 1, "over": of_policy},
        "iprec": {"recall": 0}, "judged@5": {"over": "retrieved"}, "ndcg": {"base": 2, "discount": "trec_eval"},
        "partial_auc@5": {"over": "relevant"}, "precision@5": {"over": of_policy}, "r_precision_mult": {"multiple": 1},
        "rbp": {"p": 0.9, "gain": "binary", "over": "nothing"}, "rbp_residual": {"p": 0.9},
        "utility": {"hit": 1, "other": -1, "missed": 0},
    }  # fmt: skip
    held = {name: {*metric.options} for name, metric in templates.own_metrics().items() if metric.options}
    assert {name.partition("@")[0]: {*options} for name, options in defaults.items()} == held
    others: dict[str, dict[str, object]] = {
        "dcg@10": {"gain": "linear"},
        "rr": {"mean": "arithmetic"},
        "num_rel": {"mean": "sum"},
        "recall@5": {},
    }
    for shown, options in [*defaults.items(), *others.items()]:
        name, at, k = shown.partition("@")
        written = [f"{option}={value}" for option, value in options.items() if value is not of_policy]
        asked = f"{name}({','.join(written)}){at}{k}"
        assert names(asked) == [shown]


def test_an_option_may_have_the_values_up_to_its_bounds() -> None:
    bounds: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
        "dcg(base={})": ((1.001, 100), (1, 100.1)), "err(max_grade={})": ((1, 39), (0.99, 39.1)),
        "fbeta(beta={})": ((0.001, 1000), (0, 1000.1)), "iprec(recall={})": ((0, 1), (-0.01, 1.01)),
        "ndcg(base={})": ((1.001, 100), (1, 100.1)), "r_precision_mult(multiple={})": ((0.1, 1000), (0.09, 1000.1)),
        "rbp(p={})": ((0.001, 0.999), (0, 1)), "rbp_residual(p={})": ((0.001, 0.999), (0, 1)),
        **{f"utility({name}={{}})": ((-1e9, 1e9), (-1e9 - 1, 1e9 + 1)) for name in ("hit", "other", "missed")},
    }  # fmt: skip
    for asked, (allowed, refused) in bounds.items():
        for value in allowed:
            assert len(names(asked.format(value))) == 1
        for value in refused:
            fails(ArgumentError, "is a number", names, asked.format(value))


TREC_EVAL = {
    "P_5": "precision@5", "recall_100": "recall@100", "map": "ap", "map_cut_10": "ap@10",
    "gm_map": "ap(mean=geometric)", "ndcg": "ndcg", "ndcg_cut_10": "ndcg@10", "recip_rank": "rr",
    "Rprec": "r_precision", "bpref": "bpref", "gm_bpref": "bpref(mean=geometric)", "infAP": "inf_ap",
    "11pt_avg": "eleven_point", "iprec_at_recall_0.00": "iprec", "iprec_at_recall_0.10": "iprec(recall=0.1)",
    "success_1": "hit_rate@1", "relative_P_5": "capped_recall@5", "set_P": "precision", "set_recall": "recall",
    "set_F": "f1", "set_map": "set_ap", "set_relative_P": "capped_recall", "num_q": "num_q", "num_ret": "num_ret",
    "num_rel": "num_rel", "num_rel_ret": "num_rel_ret",
}  # fmt: skip


@pytest.mark.parametrize(("theirs", "ours"), TREC_EVAL.items())
def test_names_of_trec_eval_are_read_and_written(theirs: str, ours: str) -> None:
    [metric] = metrics.parse(theirs)
    assert str(metric) == ours
    assert metric.trec_name == theirs


def test_official_is_what_trec_eval_prints_by_default() -> None:
    assert [metric.trec_name for metric in metrics.parse("official")] == [
        *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
        *(f"iprec_at_recall_{tenths / 10:.2f}" for tenths in range(11)),
        *(f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    ]


@pytest.mark.parametrize("asked", ["rbp(p=0.5)", "precision(threshold=2)@5", "judged@10", "auc", "err@20", "fbeta@5"])
def test_a_metric_that_trec_eval_does_not_have_keeps_its_name(asked: str) -> None:
    [metric] = metrics.parse(asked)
    assert metric.trec_name == asked


# Names of the command line of trec_eval, of ir_measures, and in common use.
READ = {
    **{"P.5": "precision@5", "ndcg_cut.10": "ndcg@10", "map_cut.100": "ap@100"},
    "nDCG": "ndcg",
    "nDCG@10": "ndcg@10",
    "nDCG(dcg='exp-log2')@10": "ndcg(gain=exponential)@10",
    'nDCG(dcg="log2")@10': "ndcg@10",
    "P@5": "precision@5",
    "P(rel=2)@5": "precision(threshold=2)@5",
    "R@100": "recall@100",
    "AP": "ap",
    "AP(rel=2)@100": "ap(threshold=2)@100",
    "RR": "rr",
    "RR@10": "rr@10",
    "Success@5": "hit_rate@5",
    "Rprec": "r_precision",
    "Bpref": "bpref",
    "infAP": "inf_ap",
    "IPrec@0.1": "iprec(recall=0.1)",
    "IPrec(rel=2)@0.5": "iprec(recall=0.5,threshold=2)",
    "Judged@10": "judged@10",
    "RBP": "rbp(p=0.8,gain=linear)",
    "RBP(p=0.5)@10": "rbp(p=0.5,gain=linear)@10",
    "RBP(rel=1)": "rbp(p=0.8,threshold=1)",
    "RBP(p=0.5,rel=2)@10": "rbp(p=0.5,threshold=2)@10",
    "ERR@20": "err@20",
    "SetP": "precision",
    "SetR": "recall",
    "SetF": "fbeta",
    "SetAP": "set_ap",
    "NumQ": "num_q",
    "NumRet": "num_ret",
    "NumRet(rel=2)": "num_rel_ret(threshold=2)",
    "NumRel": "num_rel",
    "SetRelP": "capped_recall",
    **{"SetF(beta=4)": "fbeta(beta=2)", "set_F.0.25": "fbeta(beta=0.5)", "SetF(beta=1)": "fbeta"},  # beta is a root
    **{"SetF(beta=2)": "fbeta(beta=1.4142135623730951)"},
    **{"mrr": "rr", "mrr@10": "rr@10", "map@10": "ap@10", "MAP@10": "ap@10", "success": "hit_rate", "hits@5": "hits@5"},
    **dict.fromkeys(("Hit", "hit", "HR", "HitRate", "hitrate", "hit_ratio", "HitRatio"), "hit_rate"),
    **dict.fromkeys(("Hit@5", "hit@5", "HR@5", "HitRate@5", "hitrate@5", "hit_ratio@5", "HitRatio@5"), "hit_rate@5"),
    **{"accuracy@5": "hit_rate@5", "recall_any@5": "hit_rate@5", "all_recall@5": "recall_all@5"},
    **{"ARHR@10": "rr@10", "arhr": "rr", "ItemCoverage@10": "coverage@10", "itemcoverage@10": "coverage@10"},
}


def test_names_of_other_tools_are_read() -> None:
    assert {theirs: names(theirs) for theirs in READ} == {theirs: [ours] for theirs, ours in READ.items()}


@pytest.mark.parametrize("name", sorted(ir_measures.measures.registry))
def test_each_name_of_ir_measures_is_read_or_refused_by_name(name: str) -> None:
    cutoff = {"IPrec": "@0.5", "R": "@5", "P": "@5"}.get(name, "")
    if name in WITHOUT_METRIC:
        with pytest.raises(UnknownNameError, match=f"no metric for {name!r}, a measure of ir_measures .*metric_folder"):
            names(f"{name}(rel=2)@5")
    else:
        assert len(names(f"{name}{cutoff}")) == 1


def test_a_metric_file_may_have_the_name_of_a_measure_that_no_metric_computes(tmp_path: Path) -> None:
    metric_file(tmp_path, "bpm", "max(found)")
    assert [str(metric) for metric in metrics.parse("BPM", tmp_path)] == ["bpm"]


@pytest.mark.parametrize("name", ["hit_rates@5", "hit-rate@5"])
def test_a_misspelled_hit_rate_is_suggested(name: str) -> None:
    fails(UnknownNameError, "Did you mean 'hit_rate", names, name)


def test_one_metric_in_several_spellings_is_one_metric() -> None:
    assert names(["precision@5", "P_5", "P@5", "P.5"]) == ["precision@5"]


@pytest.fixture(scope="module")
def result() -> Result:
    run = {"query": [1, 1, 1, 2], "item": ["a", "b", "c", "a"], "score": [3, 2, 1, 1]}
    qrels = {"query": [1, 1, 2], "item": ["a", "c", "a"], "relevance": [1, 2, 1]}
    return evaluate(run, qrels, ["precision@2", "gm_map", "ndcg(gain=exponential)@3", "rbp(p=0.8)", "IPrec@0.5"])


@pytest.mark.parametrize(
    ("spellings", "value"),
    [
        (["precision@2", "P_2", "P@2", "P.2", "p@2"], (1 / 2 + 1 / 2) / 2),
        (["gm_map", "ap(mean=geometric)", "AP(mean=geometric)"], ((1 + 2 / 3) / 2) ** (1 / 2)),
        (["nDCG(dcg='exp-log2')@3", "ndcg_cut_3(gain=exponential)"], ((1 + 3 / 2) / (3 + 0.6309297535714575) + 1) / 2),
        (["rbp(p=0.8)", "rbp(p=.80)"], 0.2 * ((1 + 0.8**2) + 1) / 2),
        (["iprec_at_recall_0.50", "iprec(recall=0.5)"], 1.0),
    ],
)
def test_a_value_is_found_by_any_spelling(result: Result, spellings: list[str], value: float) -> None:
    assert [result.value(spelling) for spelling in spellings] == pytest.approx([value] * len(spellings), abs=1e-12)


@pytest.mark.parametrize(
    "spelling", ["precision@3", "precision(threshold=2)@2", "rbp(p=0.5)", "map", "nonsense", "rbp("]
)
def test_a_value_that_was_not_asked_for_is_refused(result: Result, spelling: str) -> None:
    fails(UnknownNameError, "was not asked for", result.value, spelling)


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ("recal@10", UnknownNameError, "there is no metric 'recal'.*Did you mean 'recall'"),
        ("P_5_10", UnknownNameError, "there is no metric 'P_5_10'"),
        *(
            (
                name, UnknownNameError,
                f"there is no metric '{re.split('[(@]', name)[0]}'.*Did you mean '{re.escape(meant)}'",
            )
            for name, meant in {
                **{f"ndcg{before}10": "ndcg@10" for before in ("_", "", "-", "_at")},
                **{"ndgc_at_10": "ndcg@10", "ndcg_k": "ndcg@10", "recall_at_k": "recall@10"},
                **{"hit_5": "hit_rate@5", "hit5": "hit_rate@5", "hr_10": "hit_rate@10"},
                **{"mrr10": "rr@10", "f1_10": "f1@10"},
                **{"prec@10": "precision", "prec_10": "precision@10", "ndcg_cut10": "ndcg@10"},
            }.items()
        ),
        ("acc@5", UnknownNameError, r"there is no metric 'acc' \(in 'acc@5'\)\. Known"),
        ("acc_5", UnknownNameError, r"there is no metric 'acc_5' \(in 'acc_5'\)\. Known"),
        (
            "rbp(q=0.5)", UnknownNameError,
            "'rbp' has no option 'q'.*Its options: p is a number above 0 and below 1 .default: 0.9.;",
        ),
        ("rbp(pp=0.5)", UnknownNameError, "has no option 'pp'.*Did you mean 'p'"),
        ("recall(over=k)@5", UnknownNameError, "'recall' has no option 'over'"),
        ("judged(threshold=2)@5", UnknownNameError, "'judged' has no option 'threshold'"),
        (
            "ndcg(gain=exponentail)", ArgumentError,
            "gain is linear, exponential, binary or a table .*, not 'exponentail'.*mean 'exponential'",
        ),
        ("rbp(gain=1:1,2:5)", ArgumentError, "gain is binary, linear or scaled .*, not '1:1,2:5'"),
        ("rbp(p=1)", ArgumentError, r"p is a number above 0 and below 1 .*, not \'1\'"),
        ("rbp(p=0)", ArgumentError, r"p is a number above 0 and below 1 .*, not \'0\'"),
        ("rbp(p=nan)", ArgumentError, r"p is a number above 0 and below 1 .*, not \'nan\'"),
        ("utility(hit=1e10)", ArgumentError, r"hit is a number at least -1e\+09 and at most 1e\+09 .*, not \'1e10\'"),
        ("rbp(p=much)", ArgumentError, r"p is a number above 0 and below 1 .*, not \'much\'"),
        ("fbeta(beta=-1)", ArgumentError, r"beta is a number above 0 .*, not \'-1\'"),
        ("fbeta(beta=inf)", ArgumentError, r"beta is a number above 0 .*, not \'inf\'"),
        ("iprec(recall=1.5)", ArgumentError, r"recall is a number at least 0 and at most 1 .*, not \'1.5\'"),
        ("iprec_at_recall_1.50", ArgumentError, "recall is a number at least 0 and at most 1"),
        ("err(max_grade=0)", ArgumentError, "max_grade is a number at least 1 and at most 39"),
        ("precision(threshold=0)@5", ArgumentError, r"threshold is a number above 0 .*, not \'0\'"),
        ("ndcg(threshold=2)@5", ArgumentError, "the threshold has no effect here.*unless gain=binary"),
        ("dcg(gain=exponential,threshold=2)", ArgumentError, "the threshold has no effect here"),
        ("r_precision@5", ArgumentError, "'r_precision' takes no cutoff.*ask for 'r_precision'"),
        ("bpref@5", ArgumentError, "'bpref' takes no cutoff"),
        ("SetP@5", ArgumentError, "'SetP' takes no cutoff.*ask for SetP, or for precision@5$"),
        ("SetF(beta=4)@5,10", ArgumentError, r"ask for SetF\(beta=4\), or for fbeta\(beta=2\)@5,10$"),
        ("set_map@5", ArgumentError, "'set_map' takes no cutoff, but 'set_map@5' gives it one: ask for set_map$"),
        ("set_recall_5", ArgumentError, "'set_recall' takes no cutoff, .* ask for set_recall, or for recall@5"),
        ("set_P_5", ArgumentError, "'set_P' takes no cutoff, but 'set_P_5' gives it one: ask for set_P, or"),
        ("recall@0", ArgumentError, "k must be a whole number from 1 to 999999999999999999, not 0 in 'recall@0'"),
        ("recall@5,-1", ArgumentError, "k must be a whole number from 1 to 999999999999999999, not '-1'"),
        ("recall@1e1", ArgumentError, "k must be a whole number from 1 to 999999999999999999, not '1e1'"),
        ("recall@", ArgumentError, "k must be a whole number from 1 to 999999999999999999, not ''"),
        ("rbp(p=0.8", ArgumentError, r"'rbp\(p=0.8' is not a valid metric: write name\(option=value\)@k"),
        ("rbp p=0.8)", ArgumentError, "is not a valid metric"),
        ("rbp((p=0.8))", ArgumentError, "is not a valid metric"),
        ("recall@5@10", ArgumentError, "k must be a whole number from 1 to 999999999999999999, not '5@10'"),
        ("recall@5(threshold=2)", ArgumentError, "k must be a whole number from 1 to 999999999999999999"),
        ([], ArgumentError, "name at least one"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_name_raises(asked: str, error: type[Exception], message: str) -> None:
    fails(error, message, metrics.parse, asked)
