"""Metrics by name: what `sql/4_metrics` holds, and how `recall@5,10`, `rbp(p=0.8)` and `ndcg_cut_10` are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan, sqrt
from os import PathLike
from pathlib import Path

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import TABLE, Option, Template
from recall_duckdb.definitions.trees import Value
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    MetricFileError,
    UnknownNameError,
    commas,
    nearest,
    nearest_name,
    quote,
)
from recall_duckdb.question.cutoffs import cutoff, cutoff_range
from recall_duckdb.question.families import FAMILIES
from recall_duckdb.question.policies import as_float
from recall_duckdb.question.spellings import PARAMETER, WITHOUT_METRIC, assignments, number_table, spellings, text_of

MetricFolders = str | PathLike[str] | Sequence[str | PathLike[str]] | None

# Parameters that a metric file may use without declaring an option: the cutoff and policies.
_KNOWN_PARAMETERS = {"k", "precision", "threshold", "semantics"}
# How every engine can average values; the others are quantiles.
PORTABLE_MEANS = ("arithmetic", "geometric", "sum", "whole")
# Names of options, and of the values of gain, in ir_measures.
OPTION_ALIASES = {"rel": "threshold", "dcg": "gain", "gains": "gain", "max_rel": "max_grade"}
_VALUE_ALIASES = {"log2": "linear", "exp-log2": "exponential"}


@dataclass(frozen=True)
class Judging:
    """What decides which items are relevant and what they are worth; metrics that share it share a pass."""

    threshold: float | None
    gain: str = "linear"

    def values(self) -> dict[str, Value]:
        """Return the parameters of `graded`."""
        table = number_table(self.gain) if ":" in self.gain else None
        return {
            "threshold": self.threshold,
            "threshold_as_float": as_float(self.threshold),
            "gain": TABLE if table else self.gain,
            "gains": None if table is None else _with_floats(table),
        }


@dataclass(frozen=True)
class Metric:
    """A metric at a cutoff, with the options that differ from their defaults; `k` is None for the whole list.

    Its text is its name, as in `ndcg(gain=exponential)@10`.
    """

    template: Template
    k: int | None = None
    options: tuple[tuple[str, str | float], ...] = ()

    @property
    def name(self) -> str:
        """The name without the cutoff."""
        return f"{self.template.name}({self._write_options(',')})" if self.options else self.template.name

    @cached_property
    def column(self) -> str:
        """The name of its column within the SQL: letters, digits and underscores, which every engine takes."""
        parts = [self.template.name, *re.findall(r"\w+", self._write_options("_").replace("-", "minus"))]
        return "_".join(parts if self.k is None else [*parts, "at", str(self.k)])

    def _write_options(self, separator: str) -> str:
        return separator.join(f"{name}={text_of(value)}" for name, value in self.options)

    @property
    def depth(self) -> int | None:
        """How far down a list it looks; None: all the way."""
        return self.k if self.template.head.get("Depth") == "$k" else None

    @property
    def is_of_ours(self) -> bool:
        """True if the metric is one of this package, of which more is known than its head says."""
        return self.template is templates.own_metrics().get(self.template.name)

    @property
    def reads_ideal_order(self) -> bool:
        """True if the metric reads ranks of the ideal order."""
        return any(name.startswith("ideal") for name in self.template.columns)

    @property
    def mean(self) -> str:
        """How its values are brought together: arithmetic, geometric, sum, a quantile, or whole for a whole run."""
        return "whole" if self.template.of_whole_run else str(self._all_options["mean"])

    @property
    def is_quantile(self) -> bool:
        """True if its mean is the median or another quantile, which only DuckDB computes."""
        return self.mean not in PORTABLE_MEANS

    @property
    def has_expectation(self) -> bool:
        """True if the metric has a closed-form expectation over tie orders."""
        return self.mean != "geometric" and not self.is_quantile and self._head_says("Ties", "expected")

    @property
    def has_item_slices(self) -> bool:
        """True if the metric can be computed in slices of items."""
        return self.template.is_plain and self._head_says("Slices", "items")

    def _head_says(self, name: str, value: str) -> bool:
        """Return True if a field of the head has this value, and excludes no option of the metric."""
        field = self.template.head.get(name, "")
        return field.startswith(value) and self._all_options.items().isdisjoint(re.findall(r"(\w+) = (\w+)", field))

    def judging(self, threshold: float | None) -> Judging:
        """Return the judging of the metric under a policy threshold."""
        options = dict(self.options)
        metric_threshold = options.get("threshold", threshold)
        own_gain = "gain" in self.template.options  # computed from the linear gain
        gain = "linear" if own_gain else str(options.get("gain", "linear"))
        return Judging(None if metric_threshold is None else float(metric_threshold), gain)

    def values(self, policies: Mapping[str, Value]) -> dict[str, Value]:
        """Return the parameters of the metric's file."""
        parameters: dict[str, Value] = {"k": self.k}
        for name, value in self._all_options.items():
            is_policy = isinstance(value, str) and value.startswith("$")
            parameters[name] = policies[str(value)[1:]] if is_policy else value
        return parameters

    @cached_property
    def _all_options(self) -> dict[str, str | float]:
        return {**{name: option.default for name, option in options(self.template).items()}, **dict(self.options)}

    @property
    def trec_name(self) -> str:
        """Return what trec_eval calls it, or its own name if trec_eval has no such metric."""
        cut = {} if self.k is None else {"k": str(self.k)}
        values = {**self._all_options, **cut}
        chosen = {*dict(self.options), *cut}
        of_trec = spellings(self.template, "Trec")
        written = next(filter(None, (spelling.write(values, chosen) for spelling in of_trec)), None)
        if written is not None:
            return written
        # trec_eval's rbp has other options, so our rbp is printed as rbp(gain=binary).
        other = next((spelling for spelling in of_trec if spelling.name == str(self)), None)
        texts = [] if other is None else [f"{option}={text_of(values[option])}" for option in other.options]
        return f"{self}({','.join(texts)})" if texts else str(self)

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"


def _with_floats(table: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Return a table of gains with, behind its grades, those grades as FLOAT columns hold them."""
    as_floats = [(rounded, gain) for grade, gain in table if (rounded := as_float(grade)) is not None]
    return (*table, *as_floats)


def options(template: Template) -> dict[str, Option]:
    """Return the options of a metric: its own, and those of the relations that it reads."""
    relations = templates.relations()
    shared = {} if template.of_whole_run else dict(relations["averages"][""].options)
    if "mean" in shared and "Mean" in template.head:
        shared["mean"] = Option("mean", template.head["Mean"], shared["mean"].choices)
    judging = relations["graded"][""].options
    judged = {name: option for name, option in judging.items() if not option.decides.isdisjoint(template.columns)}
    if "gain" in judged:  # gain=binary uses the threshold
        judged["threshold"] = judging["threshold"]
    return {**template.options, **(judged | template.options), **shared}


def needs_binary_gain(template: Template) -> bool:
    """Return True if a threshold decides nothing unless gain=binary, because the metric counts gains."""
    decided = templates.relations()["graded"][""].options["threshold"].decides
    own_gain = template.options.get("gain")
    return template.columns.isdisjoint(decided) or (own_gain is not None and "binary" in own_gain.choices)


def catalog(folders: MetricFolders = None) -> dict[str, Template]:
    """Return the metrics by name: those of this package and of the folders given.

    Raises:
        ArgumentError: a folder is not there or holds no .sql file.
        MetricFileError: a file in it is not a metric, or has the name of one that is there already.
    """
    metrics = dict(templates.own_metrics())
    for folder in _folders(folders):
        added = templates.metric_files(folder.resolve()) if _is_folder(folder) else {}
        if not added:
            raise ArgumentError(f"{quote(str(folder))} is not a folder that holds .sql files", argument="metric_folder")
        for name, template in added.items():
            if name in metrics:
                told = f"there is a metric {quote(name)} already: give the file another name"
                raise MetricFileError(f"{template.path}: {told}")
            for unknown in sorted(template.parameters - _KNOWN_PARAMETERS - set(template.options)):
                told = (
                    f"{template.path}: unknown parameter ${unknown}; known: $k, $precision, $threshold, and those that"
                )
                raise MetricFileError(f"{told} the head gives values, as in `-- Option: ${unknown} = 1 in (0, inf)`")
        metrics.update(added)
    return metrics


def _folders(folders: MetricFolders) -> list[Path]:
    paths = [folders] if isinstance(folders, (str, PathLike)) else () if folders is None else folders
    if not isinstance(paths, (list, tuple)) or not all(isinstance(folder, (str, PathLike)) for folder in paths):
        told = f"the path of a folder, or a list, is expected, not {quote(folders)}"
        raise ArgumentTypeError(told, argument="metric_folder")
    return [Path(folder) for folder in paths]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that is too long or invalid
        return False


def parse(metrics: str | Iterable[str], folders: MetricFolders = None) -> list[Metric]:
    """Return the metrics for names such as "recall@5,10" or ["recall@1-10", "rr"], without repetition, in order.

    Measures of ir_measures are names too.

    Raises:
        UnknownNameError: there is no such metric, or it has no such option; the message holds the nearest name.
        ArgumentError: k is not a whole number from 1 to `LARGEST_K`, the metric takes no k, or an option is out of
            range.

    >>> [str(metric) for metric in parse(["recall@5,8-10", "rbp(p=0.5)", "ndcg_cut_10"])]
    ['recall@5', 'recall@8', 'recall@9', 'recall@10', 'rbp(p=0.5)', 'ndcg@10']
    """
    if not isinstance(metrics, (str, Iterable)) and not _is_measure(metrics):
        told = f"a name or a list of names is expected, not {type(metrics).__name__}"
        raise ArgumentTypeError(told, argument="metrics")
    known = catalog(folders)
    parsed: dict[str, Metric] = {}
    for name in [metrics] if isinstance(metrics, str) or _is_measure(metrics) else metrics:
        text = str(name) if _is_measure(name) else name
        if not isinstance(text, str):
            raise ArgumentTypeError(f"a name such as 'recall@10' is expected, not {quote(text)}", argument="metrics")
        for metric in _parse_one(FAMILIES.get(text.strip(), text), known):
            parsed.setdefault(str(metric), metric)
    columns: dict[str, Metric] = {}
    for metric in parsed.values():
        other = columns.setdefault(metric.column, metric)
        if other is not metric:
            told = f"{other} and {metric} would share a column: rename the file of one of them"
            raise ArgumentError(told, argument="metrics")
    if not parsed:
        raise ArgumentError("name at least one, such as 'recall@10'", argument="metrics")
    return list(parsed.values())


def _is_measure(value: object) -> bool:
    """Return True for a measure of ir_measures, whose text is its name."""
    return any(base.__module__ == "ir_measures.measures.base" for base in type(value).__mro__)


def find(text: str, among: Sequence[Metric]) -> Metric | None:
    """Return the metric among several that a name means, in any spelling; None if there is none."""
    known = {**templates.own_metrics(), **{metric.template.name: metric.template for metric in among}}
    by_name = {str(metric): metric for metric in among}
    try:
        [metric] = _parse_one(text, known)
    except ValueError:  # none, or several
        return None
    return by_name.get(str(metric))


def _parse_one(text: str, known: dict[str, Template]) -> list[Metric]:
    # trec_eval -m P.5,10 prints P_5 and P_10; set_F.0.5 prints set_F_0.5, rbp.p=0.8 prints rbp_p=0.8.
    dotted = re.fullmatch(rf"\s*([A-Za-z](?:\w*[A-Za-z])?)\.({PARAMETER}(?:,{PARAMETER})*)\s*", text)
    if dotted is not None:
        return [metric for each in dotted[2].split(",") for metric in _parse_one(f"{dotted[1]}_{each}", known)]
    # "recall@5,10,rr": a part that looks like a number is another cutoff of the name before it.
    requests: list[tuple[str, str, list[str]]] = []
    for part in map(str.strip, re.split(r",(?![^(]*\))", text)):
        written = re.fullmatch(r"([^()@]*)(?:\(([^()]*)\))?\s*(?:@(.*))?", part)
        if written is None:
            raise ArgumentError(f"{quote(part)} is not a valid metric: write name(option=value)@k")
        name, options_given, k = written[1].strip(), written[2] or "", written[3]
        is_cutoff = k is None and not re.match(r"[A-Za-z_]|\d+pt_", part)
        if is_cutoff and requests and requests[-1][2]:
            requests[-1][2].append(part)
        else:
            requests.append((name, options_given, [] if k is None else [k.strip()]))
    parsed = []
    for name, options_given, cutoffs in requests:
        ks = [k for each in cutoffs for k in cutoff_range(each, text)]
        parsed += _expand(text, name, options_given, ks, known)
    return parsed


def _expand(text: str, name: str, written: str, cutoffs: list[str], known: dict[str, Template]) -> list[Metric]:
    texts = _parse_options(text, written)
    if name in WITHOUT_METRIC and name.casefold() not in known:
        told = f"there is no metric for {quote(name)}, a measure of ir_measures (in {quote(text)})"
        raise UnknownNameError(told, fix="A SQL file of your own can define it: pass its folder as metric_folder")
    spelled = [] if name in known else [f"{name}@{k}" for k in cutoffs] or [name]
    aliases = [_alias(each, texts, known) for each in spelled]
    if aliases and all(aliases):
        found = filter(None, aliases)
        return [Metric(each, cutoff(k, text), _check_options(each, chosen, text)) for each, k, chosen in found]
    key = next((each for each in (name, name.casefold()) if each in known), None)
    if key is None:
        in_column = None if cutoffs else re.fullmatch(r"(\w+)_at_(\d+)", name)  # as our columns are named: recall_at_10
        if in_column is not None:
            with suppress(UnknownNameError):
                return _expand(text, in_column[1], written, [in_column[2]], known)
        meant = None if cutoffs else _with_cutoff(name, written, known)
        if meant is None:
            _check_whole_list(text, name, written, cutoffs, known)
        close = _nearest(name, known) if meant is None else str(meant)
        hint = "" if close is None else f" Did you mean {quote(close)}?"
        fix = f"{hint} Known: {commas(known)}"
        raise UnknownNameError(f"there is no metric {quote(name)} (in {quote(text)})", fix=fix)
    template = known[key]
    if cutoffs and "k" not in template.parameters:
        raise ArgumentError(f"{quote(key)} takes no cutoff, but {quote(text)} gives it one: ask for {quote(key)}")
    if not cutoffs and template.head.get("Cutoff") == "required":
        raise ArgumentError(f"{text} needs a cutoff, as in {key}@10")
    options_given = _check_options(template, texts, text)
    return [Metric(template, cutoff(k, text), options_given) for k in cutoffs or (None,)]


def _with_cutoff(name: str, written: str, known: dict[str, Template]) -> Metric | None:
    """Return the metric that a name such as ndcg_at_10, ndcg10, ndcg_k or ndcg_cut10 means; None if there is none."""
    parts = re.fullmatch(r"(.*?\w)[\W_]*(?:at[\W_]*)?(\d+|k)", name, re.IGNORECASE)
    if parts is None:
        return None
    k = parts[2] if parts[2].isdigit() else "10"
    options, alias = f"({written})" if written else "", _alias(parts[1], _parse_options(name, written), known)
    near = _nearest(parts[1], known) if alias is None else None
    meanings = [f"{parts[1]}{options}@{k}", f"{parts[1]}_{k}"]  # the second as in trec_eval
    meanings += [] if near is None else [f"{near}{options}@{k}"]
    for meant in meanings:
        if meant == name:
            continue
        try:
            [metric] = _parse_one(meant, known)
        except ValueError:  # there is no such metric, it takes no cutoff, or an option is wrong
            continue
        return metric
    return None


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the only known name that begins with `name`, or else the nearest one; None if there is none."""
    longer = [each for each in known if each.startswith(name.casefold())]
    if len(longer) == 1 and len(name) > 2:
        return longer[0]
    # Of short names, another letter makes another metric: acc is not auc.
    return nearest_name(name, [each for each in known if len(name) > 3 or len(each) > len(name)])


def _check_whole_list(text: str, name: str, written: str, cutoffs: list[str], known: dict[str, Template]) -> None:
    """Refuse a cutoff, as in SetP@5 or set_P_5, where others have the name for whole lists alone."""
    ended = None if cutoffs else re.fullmatch(r"(.+)_(\d+)", name)
    name, cutoffs = (ended[1], [ended[2]]) if ended else (name, cutoffs)
    texts = _parse_options(text, written)
    alias = _alias(name, texts, known) if cutoffs else None
    if alias is not None and alias[1] is None:
        template, _, chosen = alias
        metric = Metric(template, None, _check_options(template, chosen, text))
        ours = f", or for {metric}@{','.join(cutoffs)}" if "k" in template.parameters else ""
        whole = f"{name}({written})" if written else name
        raise ArgumentError(f"{quote(name)} takes no cutoff, but {quote(text)} gives it one: ask for {whole}{ours}")


def _parse_options(text: str, written: str) -> dict[str, str]:
    """Return the options written with a metric's name, by our own option names."""
    texts: dict[str, str] = {}
    for key, value in assignments(written):
        option = OPTION_ALIASES.get(key, key)
        if option in texts:
            raise ArgumentError(f"{quote(text)}: {option} is given twice")
        texts[option] = _VALUE_ALIASES.get(value, value)
    return texts


def _alias(
    spelled: str, texts: Mapping[str, str], known: dict[str, Template]
) -> tuple[Template, str | None, dict[str, str]] | None:
    """Return the metric that trec_eval or ir_measures spells so, its cutoff and all its options; None for no metric."""
    for flags in (0, re.IGNORECASE):  # RBP is ir_measures' name, rbp trec_eval's
        for template in known.values():
            for spelling in spellings(template, "Trec", "Also"):
                read = spelling.read(spelled, texts, flags)
                if read is not None:
                    return template, *read
    return None


def _check_options(template: Template, texts: Mapping[str, str], text: str) -> tuple[tuple[str, str | float], ...]:
    """Check the options given, and return their values without those that equal the default."""
    known = options(template)
    chosen: dict[str, str | float] = {}
    for name, written in texts.items():
        if name not in known:
            fix = f"{nearest(name, known)} Its options: {'; '.join(map(str, known.values())) or 'none'}"
            raise UnknownNameError(f"{template.name!r} has no option {quote(name)} (in {quote(text)})", fix=fix)
        value = _value(known[name], written, text)
        if value != known[name].default:
            chosen[name] = value
    if "threshold" in chosen and needs_binary_gain(template) and chosen.get("gain", known["gain"].default) != "binary":
        raise ArgumentError(f"{quote(text)}: the threshold has no effect here: gains ignore it unless gain=binary")
    return tuple((name, chosen[name]) for name in known if name in chosen)


def _value(option: Option, written: str, text: str) -> str | float:
    if option.choices:
        if written in option.choices and written != TABLE:
            return written
        table = number_table(written) if TABLE in option.choices else None
        if table is not None:
            return ",".join(f"{text_of(number)}:{text_of(worth)}" for number, worth in table)
        hint = nearest(written, [choice for choice in option.choices if choice != TABLE])
    else:
        hint = ""
        number = _number(written)
        if isfinite(number) and option.holds(number):
            return number
    raise ArgumentError(f"{quote(text)}: {option}, not {quote(written)}", fix=hint)


def _number(written: str) -> float:
    """Return the number, or its root for `sqrt(2)`, as spellings write it; NaN if it is none."""
    root = re.fullmatch(r"sqrt\((.*)\)", written)
    try:
        return sqrt(float(root[1])) if root else float(written)
    except ValueError:
        return nan
