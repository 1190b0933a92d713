"""The decision of a report: what to ship, the numbers behind it, and how every model differs from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recall_duckdb.comparison.distributions import detectable, queries_needed
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import Rows, interval_text, is_over_all, mark_of, percent, slice_name, test_text
from recall_duckdb.comparison.shown import number_text as number
from recall_duckdb.counts import queries_text
from recall_duckdb.errors import digits, quote, some
from recall_duckdb.question.policies import CHOICES
from recall_duckdb.report import cut, metric_name
from recall_duckdb.reporting.charts import differences

if TYPE_CHECKING:
    from recall_duckdb.comparison.comparison import Comparison, Leaderboard
    from recall_duckdb.reporting.contents import Contents
    from recall_duckdb.reporting.judging import Judging

_OPEN = "unjudged items may turn this"
_MOST = 5  # how many metrics, slices or models a sentence names
_MOST_CHANGE = 10  # times the baseline; a larger difference is not written as a share of it
ADJUSTED = dict.fromkeys(("holm", "bonferroni", "bh"), " (p adjusted for slices)") | {"none": " (p not adjusted)"}
_WORDS = {"▲": "Better", "▼": "Worse", "=": "No clear difference"}


@dataclass(frozen=True)
class Decision:
    """The decision of a report."""

    # ▲ better, ▼ worse than the baseline, = no clear difference, • no test, ⚠ judging may turn it, ✗ a gate failed
    mark: str
    result: str  # what to do, or to conclude
    but: Sequence[str] = ()  # what limits that: slices and metrics that lose, models that win, unjudged items
    numbers: str = ""  # the numbers behind it, by the metric that decides
    ties: str = ""  # which models are as good
    sure: list[str] = field(default_factory=list)  # how sure it is: the test, and what the queries can find
    against: list[str] = field(default_factory=list)  # metrics and slices that lose, or are not clear
    model: object = None  # the model that it is about
    reference: object = None  # the model from which the others differ by `rows`: the baseline, or else the best one
    rows: Rows = ()  # the difference of each other model from the reference, in the order of the leaderboard
    level: Sequence[object] = ()  # the models that are as good as the best one

    @property
    def verdict(self) -> str:
        """The decision in one sentence, without a full stop."""
        limits = some(self.but, len(self.but), last=", and ")
        return f"{self.result}, but {limits}" if limits else self.result

    @property
    def sentence(self) -> str:
        """The verdict, and the numbers behind it."""
        return f"{'. '.join(filter(None, [self.verdict, self.numbers, self.ties]))}."


def decide(contents: Contents) -> list[Decision]:
    """Return the decision of a report, or a sentence about each model if there is nothing to compare."""
    compared, ranked, metric = contents.comparison, contents.leaderboard, contents.first
    if compared is not None:
        slices = [row for row in contents.in_slices if metric_name(row) == metric]
        decided = [decide_between(compared, slices, metric, contents.judging, ranked)]
    else:
        best = None if ranked is None else decide_best(ranked, metric, contents.judging)
        if best and contents.rivals:
            said = f"In slices{ADJUSTED[contents.settings.correction]}: {some(contents.rivals, _MOST)}."
            best = replace(best, but=[*best.but, *contents.rivals[:2]], against=[*best.against, said])
        decided = [best] if best else describe_alone(contents.means, contents.by, contents.settings, metric)
    gates, told = contents.data.gates, [each.model for each in decided]
    fails = {model: names for model in contents.models if gates and (names := gates.failed_by(model))}
    named = {model: f"gate{'s' * bool(each[1:])} {some(each, 2, show=quote)}" for model, each in fails.items()}
    alike = {each: [model for model in named if named[model] == each and model not in told] for each in named.values()}
    others = [f"{some(models, _MOST)} fail{'s' * (not models[1:])} {each}" for each, models in alike.items() if models]
    return [_gated(each, named.get(each.model), [*others, *_policies(contents)]) for each in decided]


def _policies(contents: Contents) -> list[str]:
    """Return the policies that differ from the default, and how many queries they leave out, if there are any."""
    usual = {name: values[0] for name, values in CHOICES.items()}
    given = {name: each for name, each in contents.policies.items() if each not in (None, "error", usual.get(name))}
    changed = [f"{name}={each}" for name, each in given.items() if name not in ("ids", "order")]
    rows = [row for row in contents.means if metric_name(row) == contents.first and is_over_all(row, contents.by)]
    counts = contents.data.counts if "skip" in given.values() and not contents.data.plan.has("weights") else {}
    out = [(row["model"], counts[row["model"]].judged - row["queries"]) for row in rows if counts and row["queries"]]
    left = [f"{queries_text(count)} of {model}" for model, count in out if count > 0]
    return [f"Policies: {', '.join(changed)}{'; left out: ' * bool(left)}{some(left, _MOST)}"] if changed else []


def _gated(decision: Decision, failed: str | None, others: Sequence[str]) -> Decision:
    """Return a decision after the gates: that its model must not ship if it fails one; then which others fail."""
    numbers = [decision.numbers, *others]
    if failed:
        numbers = numbers if decision.result.startswith("Ship ") else [decision.verdict, *numbers]
        decision = replace(decision, mark="✗", result=f"Do not ship {decision.model}: {failed} failed", but=())
    return replace(decision, numbers=". ".join(filter(None, numbers)))


def decide_between(
    found: Comparison, slices: Rows, metric: str, judging: Judging | None = None, ranked: Leaderboard | None = None
) -> Decision:
    """Return which model to ship instead of the baseline, by one metric with its cutoff.

    The comparison in slices is by this metric, with p-values adjusted for the number of slices. The decision is open if
    judging more items may turn it. A leaderboard says which models are as good.
    """
    settings, baseline = found.settings, found.settings.baseline
    over_all = [row for row in found.to_dicts() if is_over_all(row, found.by)]
    rows = [row for row in over_all if metric_name(row) == metric]
    if ranked is not None:
        places = {model: place for place, model in enumerate(ranked.models)}
        rows.sort(key=lambda row: places.get(row["model"], len(places)))
    if rows[0]["metric"] in settings.descriptive:
        return Decision("•", f"{metric} does not say which model is better", model=rows[0]["model"])
    best = min(rows, key=lambda row: "▲=•▼".index(mark_of(row, settings)))
    model, mark = best["model"], mark_of(best, settings)
    pairs = {} if ranked is None else differences(ranked.pairs, ranked.models, metric, model)
    others = {other: mark_of(pair, settings) for other, pair in pairs.items() if other != baseline}
    level = [other for other in others if others[other] in "=•" and mark == "▲"]
    sure = [_tested(best, settings, len(rows), len(pairs) * (len(pairs) + 1) // 2)]
    sure += _more_queries(best, settings, len(rows)) if mark == "=" else []
    against = [_beaten(pairs[other], model) for other in others if others[other] == "▲"]
    in_slices = sorted((row for row in slices if row["model"] == model), key=lambda row: -(row["queries"] or 0))
    but = list[str]()
    for sign, word in _WORDS.items():
        of_model = (row for row in over_all if row["model"] == model and row["metric"] not in settings.descriptive)
        names = [metric_name(row) for row in of_model if mark_of(row, settings) == sign and row is not best]
        where = [slice_name(row, found.by) for row in in_slices if mark_of(row, settings) == sign]
        lines = [f"{f'Also {word.lower()}' if sign == mark else word} on {some(names, _MOST)}."] if names else []
        if where:
            count = f"{len(where):,} of {len(in_slices):,} slices"
            lines.append(f"{word} in {count}{ADJUSTED[settings.correction]}: {some(where, _MOST)}.")
        if sign not in ("=", mark):  # a verdict names two of each
            it, is_word = "it" if mark == "▲" else model, f"is {word.lower()}"
            slices_of = some(list(map(cut, where)), 2, last=" and ")
            but += [f"{'not' if mark == '▲' else f'{model} {is_word}'} for {slices_of}"] if where else []
            but += [f"{it} {is_word} on {some(names, 2, last=' and ')}"] if names else []
        (sure if sign == "▲" else against).extend(lines)
    result, numbers = _result(best, mark, settings, len(rows))
    better, worse = (model, baseline) if mark == "▲" else (baseline, model)
    if judging is not None and mark in "▲▼" and judging.is_open(better, worse):
        mark, but = "⚠", [*but, _OPEN]
    ties, shaded = _as_good(level, best["queries"]), [model, *level] if level else []
    return Decision(mark, result, but, numbers, ties, sure, against, model, baseline, rows, shaded)


def decide_best(found: Leaderboard, metric: str, judging: Judging | None = None) -> Decision | None:
    """Return which model is best by one metric with its cutoff and what it beats, from a leaderboard.

    None for a single model, without values, or for a metric that never decides. It is open if judging more items may
    turn it.
    """
    settings = found.settings
    ranked = [row for row in found.to_dicts() if metric_name(row) == metric and row["value"] is not None]
    if len(ranked) < 2 or ranked[0]["metric"] in settings.descriptive:
        return None
    row, others = ranked[0], ranked[1:]
    best, pairs = row["model"], differences(found.pairs, found.models, metric, row["model"])
    marks = {each["model"]: mark_of(pairs[each["model"]], settings) for each in others if each["model"] in pairs}
    beaten, lost = ([model for model, mark in marks.items() if mark == sign] for sign in "▼▲")
    same = [each["model"] for each in others if each["value"] == row["value"]]
    level = [each["model"] for each in others if marks.get(each["model"], "•") not in "▼▲"]
    highest = "lowest" if row["metric"] in settings.lower else "highest"
    names, have = some([best, *same], _MOST, last=" and "), f"have the same {metric}, the" if same else "has the"
    result = f"{f'Ship {best}: it' if beaten and not same and not lost else names} {have} {highest}"
    result += f"{'' if same else f' {metric}'} of {len(ranked):,} models"
    numbers = ", ".join(filter(None, [f"{metric} is {number(row['value'])}{_over(row)}", _within(row, settings)]))
    if row["letters"] is None:
        return Decision("•", result, numbers=f"{numbers}; the models were not tested", model=best)
    tests = len(ranked) * (len(ranked) - 1) // 2
    sure = [_tested(pair, settings, tests) for pair in list(pairs.values())[:1]]
    if beaten:
        which = "all others" if len(beaten) == len(others) else some(beaten, _MOST)
        how = "wins more queries than" if settings.test == "sign" else "is clearly better than"
        worst = _p(max((pairs[model] for model in beaten), key=lambda pair: pair["p_adjusted"])).replace("=", "≤")
        sure.append(f"{best if same else 'It'} {how} {which} (each {worst}).")
    if level and level[0] in pairs and not lost:
        sure += _more_queries(pairs[level[0]], settings, tests, f"{best} and {level[0]}")
    against = [_beaten(pairs[model], best) for model in lost[:_MOST]]
    ties = _as_good([model for model in level if model not in same], row["queries"])
    mark = "▲" if beaten and not lost and not same else "="
    if not lost and not level:
        result = f"Ship {best}, the best of {len(ranked):,} models by {metric}"
    but = [f"{some(lost, _MOST)} {'beats' if len(lost) == 1 else 'beat'} it"] if lost else []
    turned = {model: (best, model) for model in beaten} | {model: (model, best) for model in lost}
    open_to = [model for model, pair in turned.items() if judging is not None and judging.is_open(*pair)]
    if open_to:
        against.append(f"Judging may turn it for {some(open_to, _MOST)}.")
        mark, but = "⚠", [*but, _OPEN]
    shaded = [best, *level] if ties else []
    return Decision(mark, result, but, numbers, ties, sure, against, best, best, list(pairs.values()), shaded)


def describe_alone(rows: Rows, by: Sequence[str], settings: Settings, metric: str) -> list[Decision]:
    """Return a sentence for each model about the interval of its mean of one metric."""
    decisions = []
    for row in (each for each in rows if metric_name(each) == metric and is_over_all(each, by)):
        has = f"{metric} of {number(row['value'])}"
        if row["value"] is None or row["queries"] is not None:
            has = f"no value for {metric}" if row["value"] is None else f"a mean of {number(row['value'])} for {metric}"
        result = f"{row['model']} has {has}{_over(row)}"
        wide = f"{queries_text(row['queries'] or 0).capitalize()}; four times as many would halve the interval."
        sure = [wide] if row["low"] is not None else []
        decisions.append(Decision("•", result, (), _within(row, settings), sure=sure, model=row["model"]))
    return decisions


def _result(row: Mapping[str, Any], mark: str, settings: Settings, models: int) -> tuple[str, str]:
    """Return what to do about the best of several models that were compared, and the numbers behind it."""
    metric, model, baseline = metric_name(row), row["model"], settings.baseline
    if row["delta"] is None:
        return f"{model} and {baseline} cannot be compared on {metric}", "One of them has no value"
    if mark == "=" and row["p_adjusted"] is None:
        same = f"It is {number(row['value'])} on average"
        return f"{model} and {baseline} have the same {metric} for {queries_text(row['queries'])}", same
    by = " by the sign test" if settings.test == "sign" else ""
    found = [] if row["p_adjusted"] is None else [f"{_p(row)}{by}"]
    if row["low"] is not None:
        ends = f"{change_text(row, 'low')} to {change_text(row, 'high')}"
        found.insert(0, f"{percent(settings.confidence)} interval {ends}")
    means = f"{metric}{'' if models == 1 or mark == '▲' else f' of {model}'}"
    means += f"{' (lower is better)' if row['metric'] in settings.lower else ''} is {number(row['value'])}"
    numbers = f"{means} instead of {number(row['baseline'])}: {change_text(row)}"
    numbers += f" ({', '.join(found)})" if found else ""
    if row["p_adjusted"] is None:
        why = "the metric has one value for the whole run"
        if row["queries"] is not None:
            few = row["queries"] < 2
            why = "one query cannot be tested" if few else "all queries differ by the same amount"
        return f"{model} was not tested against {baseline}", f"{numbers}; {why}"
    most = f" by more than {digits(settings.tie_within)}" if settings.tie_within else ""
    numbers += f", better{most} for {queries_text(row['wins'])} and worse{most} for {row['losses']:,}"
    if mark == "▲":
        return f"Ship {model} instead of {baseline}", numbers
    if mark == "=":
        alone = f"No clear difference between {model} and {baseline}"
        return alone if models == 1 else f"Keep {baseline}: no other model is clearly better", numbers
    return f"Keep {baseline}: {model if models == 1 else 'every other model'} is worse", numbers


def change_text(row: Mapping[str, Any], name: str = "delta") -> str:
    """Return a difference as a share of the baseline, or as it is if that is 0 or small."""
    if not row["baseline"] or abs(row["delta"]) > _MOST_CHANGE * abs(row["baseline"]):
        return number(row[name], sign=True)
    share = row[name] / abs(row["baseline"])
    return f"{share:+.0%}" if abs(share) >= 0.0995 else f"{share:+.1%}"


def _tested(row: Mapping[str, Any], settings: Settings, tests: int, pairs: int = 0) -> str:
    """Return the test, its correction, and the smallest difference that it finds.

    With a leaderboard below the comparison with a baseline, all pairs are a second family of tests.
    """
    if row["queries"] is None or row["p_adjusted"] is None:
        return ""
    adjusted = settings.correction != "none" and tests > 1
    of = f" for {tests:,} {'differences' if pairs else 'pairs'}" if adjusted else ""
    said = f"{queries_text(row['queries']).capitalize()}, {test_text(settings).removeprefix('p: ')}{of}."
    if adjusted and pairs:
        said += f" Whether models are as good is tested for all {pairs:,} pairs."
    least = detectable(row["queries"], row["sd"], 1 - (1 - settings.confidence) / (tests if adjusted else 1))
    if least is not None:
        said += f" These queries find a difference of {number(least)} in 80% of samples."
    return said


def _as_good(models: Sequence[object], queries: int | None) -> str:
    """Return that models are as good as the best one."""
    are = "is" if len(models) == 1 else "are"
    names = some(models, _MOST, last=" and ")
    return f"{names} {are} as good as far as {queries_text(queries or 0)} can tell" if models else ""


def _beaten(row: Mapping[str, Any], best: object) -> str:
    """Return the numbers of a model that beats the one with the best mean."""
    other, of_best = number(row["value"]), number(row["baseline"])
    means = f"{metric_name(row)} is {other} for {row['model']} and {of_best} for {best}"
    won = f"{row['model']} wins {row['wins']:,} and {best} {row['losses']:,}"
    return f"On the {queries_text(row['queries'])} that both have, {means}; {won} ({_p(row)})."


def _more_queries(row: Mapping[str, Any], settings: Settings, tests: int, models: str = "") -> list[str]:
    """Return how many more queries a difference as large as this one needs; nothing if it needs no more.

    If p is adjusted for this many tests, each needs a p as small as with Bonferroni's correction, at most.
    """
    tests = 1 if settings.correction == "none" else tests
    needed = queries_needed(row["delta"], row["sd"], 1 - (1 - settings.confidence) / tests)
    if needed is None or not row["queries"] or needed <= row["queries"]:
        return []
    more = needed - row["queries"]
    rounded = round(more, 1 - len(str(more))) if more < 10 else round(more, 2 - len(str(more)))
    between = f" between {models}" if models else ""
    queries = "query" if rounded == 1 else "queries"
    return [f"About {rounded:,} more {queries} would settle a difference{between} as large as this one."]


def _within(row: Mapping[str, Any], settings: Settings) -> str:
    between = interval_text(row["low"], row["high"])
    return f"{percent(settings.confidence)} interval {between}" if between else ""


def _over(row: Mapping[str, Any]) -> str:
    return "" if row["queries"] is None else f" over {queries_text(row['queries'])}"


def _p(row: Mapping[str, Any]) -> str:
    return "p < 0.001" if row["p_adjusted"] < 0.001 else f"p = {row['p_adjusted']:.4f}"
