"""The decision of a report: what to ship, the numbers behind it, and how every model differs from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recall_duckdb.comparison.distributions import detectable, queries_needed
from recall_duckdb.comparison.leaderboard import beats
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import Rows, interval_text, is_over_all, mark_of, percent, slice_name, test_text
from recall_duckdb.comparison.shown import number_text as number
from recall_duckdb.counts import queries_text
from recall_duckdb.errors import digits, quote, some, spell
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
_WORDS = {"▲": "Better", "▼": "Worse", "=": "No clear difference", "•": "Not tested"}


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
        best = None if ranked is None else decide_best(ranked, metric, contents.judging, contents.rivals)
        decided = [best] if best else describe_alone(contents.means, contents.by, contents.settings, metric)
    told, gates = {each.model for each in decided}, contents.data.gates
    failed = dict[object, str]()  # the gates that models fail
    for model in contents.models:
        if gates and (names := gates.failed_by(model)):
            failed[model] = f"gate{'s' * bool(names[1:])} {some(names, 2, show=quote)}"
    groups: dict[str, list[object]] = {}
    for model in (each for each in contents.models if each not in told):
        if model in failed:
            status = " too" if failed.keys() & told else ", so the exit status is 1"
            groups.setdefault(f"failed {failed[model]}{status}", []).append(model)
        elif failed.keys() & told:
            groups.setdefault("failed no gate", []).append(model)
    notes = [f"{some(models, _MOST)} {what}" for what, models in groups.items()] + _policies(contents)
    return [_gated(each, failed, notes) for each in decided]


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


def _gated(decision: Decision, failed: Mapping[object, str], notes: Sequence[str]) -> Decision:
    """Return a decision after the gates: its model must not ship if it failed one; ✗ if the kept baseline did."""
    numbers, result = [decision.numbers, *notes], decision.result
    if decision.model in failed:
        numbers = numbers if result.startswith("Ship ") else [decision.verdict, *numbers]
        result = f"Do not ship {decision.model}: {failed[decision.model]} failed"
        decision = replace(decision, mark="✗", result=result, but=())
    elif decision.reference in failed and result.startswith("Keep "):
        decision = replace(decision, mark="✗", but=[*decision.but, f"{decision.reference} failed a gate"])
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
    level = [other for other in others if others[other] == "=" and mark == "▲"]
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
            lines.append(f"{word} in {count}{ADJUSTED[settings.correction] * (sign != '•')}: {some(where, _MOST)}.")
        if sign in "▲▼" and sign != mark:  # a verdict names two of each
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


def decide_best(
    found: Leaderboard, metric: str, judging: Judging | None = None, rivals: Sequence[str] = ()
) -> Decision | None:
    """Return which model is best by one metric with its cutoff and what it beats, from a leaderboard.

    None for a single model, without values, or for a metric that never decides. It is open if judging more items may
    turn it. Rivals are better in slices.
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
    level = [model for model, mark in marks.items() if mark == "="]
    untested = [model for model, mark in marks.items() if mark == "•" and model not in same]
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
    if level and not lost:
        sure += _more_queries(pairs[level[0]], settings, tests, f"{best} and {level[0]}")
    against = [_beaten(pairs[model], best) for model in lost[:_MOST]]
    ties = _as_good([model for model in level if model not in same], row["queries"])
    mark = "▲" if beaten and not lost and not same else "•" if untested and not same else "="
    if not lost and not level and "•" not in marks.values():
        result = f"Ship {best}, the best of {len(ranked):,} models by {metric}"
    but = [f"{some(lost, _MOST)} {'beats' if len(lost) == 1 else 'beat'} it"] if lost else []
    if untested:
        but.append(f"there is no test against {some(untested, _MOST, last=' and ')}")
        numbers += "; " + ", ".join(dict.fromkeys(_why_untested(pairs[model]) for model in untested))
    quality = [pair for pair in found.pairs if pair["metric"] not in settings.descriptive]
    for model in (model for model in pairs if model not in lost):
        wins = [metric_name(pair) for pair in quality if beats(pair, settings) == (model, best)]
        against += [f"{model} is better on {some(wins, _MOST)}."] if wins else []
        but += [f"{model} is better on {some(wins, 2, last=' and ')}"] if wins and len(but) < 2 else []
    but += rivals[:2]
    against += [f"In slices{ADJUSTED[settings.correction]}: {some(rivals, _MOST)}."] if rivals else []
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
        mean = "no value" if row["value"] is None else f"a mean of {number(row['value'])}"
        mean = mean if row["queries"] is not None else mean.replace("mean", "value")  # such as a median
        result = f"{row['model']} has {mean} for {metric}{_over(row)}"
        wide = f"{queries_text(row['queries'] or 0).capitalize()}; four times as many would halve the interval."
        sure = [wide] if row["low"] is not None else []
        decisions.append(Decision("•", result, (), _within(row, settings), sure=sure, model=row["model"]))
    return decisions


def _result(row: Mapping[str, Any], mark: str, settings: Settings, models: int) -> tuple[str, str]:
    """Return what to do about the best of several models that were compared, and the numbers behind it."""
    metric, model, baseline = metric_name(row), row["model"], settings.baseline
    if row["delta"] is None:
        why = "One of them has no value" if row["queries"] else "They have no query in common"
        return f"{model} and {baseline} cannot be compared on {metric}", why
    if mark == "=" and row["p_adjusted"] is None:
        same = f"It is {number(row['value'])} on average"
        return f"{model} and {baseline} have the same {metric} for {queries_text(row['queries'])}", same
    found = [] if row["p_adjusted"] is None else [f"{_p(row)}{' by the sign test' * (settings.test == 'sign')}"]
    if row["low"] is not None:
        ends = f"{change_text(row, 'low')} to {change_text(row, 'high')}"
        found.insert(0, f"{percent(settings.confidence)} interval {ends}")
    means = f"{metric}{'' if models == 1 or mark == '▲' else f' of {model}'}"
    means += f"{' (lower is better)' if row['metric'] in settings.lower else ''} is {number(row['value'])}"
    numbers = f"{means} instead of {number(row['baseline'])}: {change_text(row)}"
    numbers += f" ({', '.join(found)})" if found else ""
    if row["p_adjusted"] is None:
        return f"{model} was not tested against {baseline}", f"{numbers}; {_why_untested(row)}"
    most = f" by more than {digits(settings.tie_within)}" if settings.tie_within else ""
    numbers += f", better{most} for {queries_text(row['wins'])} and worse{most} for {row['losses']:,}"
    if mark == "▲":
        return f"Ship {model} instead of {baseline}", numbers
    if mark == "=":
        alone = f"No clear difference between {model} and {baseline}"
        return alone if models == 1 else f"Keep {baseline}: no other model is clearly better", numbers
    return f"Keep {baseline}: {model if models == 1 else 'every other model'} is worse", numbers


def _why_untested(row: Mapping[str, Any]) -> str:
    """Return why a difference has no p."""
    if row["queries"] is None:
        return "the metric has one value for the whole run"
    if row["queries"] < 2:
        return "one query cannot be tested" if row["queries"] else "they have no query in common"
    return f"all queries differ by the same amount, which {spell('test', 'sign')} can test"


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
    names = f"{some(models, _MOST, last=' and ')} {'is' if len(models) == 1 else 'are'}"
    return f"{names} as good as far as {queries_text(queries or 0)} can tell" if models else ""


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
    return f"{percent(settings.confidence)} interval {ends}" if (ends := interval_text(row["low"], row["high"])) else ""


def _over(row: Mapping[str, Any]) -> str:
    return "" if row["queries"] is None else f" over {queries_text(row['queries'])}"


def _p(row: Mapping[str, Any]) -> str:
    return "p < 0.001" if row["p_adjusted"] < 0.001 else f"p = {row['p_adjusted']:.4f}"
