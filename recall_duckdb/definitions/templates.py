"""Reads the SQL files: every definition is in `sql/`, and this module only finds and checks them.

A file's stem is the name of its relation. A folder named after a relation holds the relation's variants, one file each,
named after the policy value or the input shape that it is for. The text above a file's SELECT is its head: one sentence
of definition, then `Field: text` lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, partial
from importlib.resources import files
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError

from recall_duckdb.definitions import functions, trees
from recall_duckdb.definitions.volatile import volatile_call
from recall_duckdb.errors import MetricFileError, commas, digits, nearest
from recall_duckdb.paths import special

METRICS = "4_metrics"
CHECKS = "checks"
STAGES = ("1_inputs", "2_ranking", "3_judging", METRICS, "5_summary")
LISTS = "lists"  # the list form and what else only DuckDB runs
ONE_PASS = "one_pass"  # a plan for other engines, which reads the run once
PLANS = (LISTS, ONE_PASS)  # what replaces definitions: the values of the field `Seen` (sql/README.md)
AGREEMENT = "7_agreement"  # compares lists of several models, without judgements
COMPARISON = "6_comparison"  # reads the values of queries, of one evaluation or of files
# The user's relations under canonical names: run, qrels and the optional inputs.
INPUTS = (
    *("run_source", "given_run", "qrels_source", "labelled"),  # given_run: run_source before a policy removed rows
    *("exclude", "items", "weights", "training", "obvious", "catalog", "features", "pairs"),
    *("item_slices", "query_slices", "item_map"),
)
# The choice of an option that is a table of numbers.
TABLE = "table"


def _bound(number: float) -> str:
    """Return a number of a head as text: 1e+09 instead of ten digits, but with all digits that are not 0."""
    short = f"{number:g}"
    return short if float(short) == number else digits(number)


@dataclass(frozen=True)
class Option:
    """A parameter that can be set with a metric's name: `$p = 0.8 in (0, 1)` in the head of its file.

    Its value is one of `choices`, or a number from `low` to `high`; `closed` says which ends are included. The choice
    `table` stands for a table of numbers, such as 1:1,2:5. An option of a relation that metrics are made from is an
    option of all metrics that read a column in `decides`.
    """

    name: str
    default: str | float
    choices: tuple[str, ...] = ()
    low: float = -inf
    high: float = inf
    closed: tuple[bool, bool] = (False, False)
    decides: frozenset[str] = frozenset()

    def __str__(self) -> str:
        usual = self.default
        if isinstance(usual, str) and usual.startswith("$"):
            usual = f"the policy {usual[1:]}"
        if self.choices:
            texts = ["a table such as 1:1,2:5" if choice == TABLE else choice for choice in self.choices]
            return f"{self.name} is {', '.join(texts[:-1])} or {texts[-1]} (default: {usual})"
        least = f"{'at least' if self.closed[0] else 'above'} {_bound(self.low)}"
        most = "" if self.high == inf else f" and {'at most' if self.closed[1] else 'below'} {_bound(self.high)}"
        usual = _bound(usual) if isinstance(usual, float) else usual
        return f"{self.name} is a number {least}{most} (default: {usual})"

    def holds(self, value: float) -> bool:
        """Return True if a number is in the range."""
        low, high = self.closed
        return (self.low <= value if low else self.low < value) and (value <= self.high if high else value < self.high)


_OPTION = re.compile(
    r"\$(?P<name>\w+) = (?P<default>\S+) in (?:\{(?P<choices>[^}]*)\}"
    r"|(?P<left>[\[(])(?P<low>[^,]*), (?P<high>[^\])]*)(?P<right>[\])]))(?: decides (?P<decides>[\w, ]+)\.)?"
)


def _options(text: str) -> dict[str, Option]:
    options = {}
    for match in _OPTION.finditer(text):
        name, default = match["name"], match["default"]
        decides = frozenset((match["decides"] or "").split(", "))
        if match["choices"] is not None:
            options[name] = Option(name, default, tuple(match["choices"].split(", ")), decides=decides)
        else:
            value = default if default.startswith("$") else float(default)
            low, high = float(match["low"]), float(match["high"])
            closed = (match["left"] == "[", match["right"] == "]")
            options[name] = Option(name, value, low=low, high=high, closed=closed, decides=decides)
    return options


@dataclass(frozen=True)
class Template:
    """One SQL file: a relation, or one variant of it."""

    name: str
    variant: str
    stage: str
    path: str
    head: dict[str, str] = field(repr=False)
    text: str = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a metric of this package as its name: it stays the same object."""
        if own_metrics().get(self.name) is self:
            return _own_metric, (self.name,)
        return Template, tuple(getattr(self, each.name) for each in fields(self))

    @cached_property
    def _tree(self) -> exp.Select:
        """The statement, parsed on first use; raises `MetricFileError` if it is not one SELECT."""
        return self._parsed()

    @cached_property
    def _written(self) -> exp.Select:
        """The statement as the file has it, with calls of functions."""
        head = sum(1 for _ in _head_lines(self.text))  # slow to parse; line numbers stay the same
        return trees.parse("\n" * head + self.text.split("\n", head)[-1])

    def _parsed(self, *arithmetic: str) -> exp.Select:
        try:
            tree = self._written.copy()
            functions.expand(tree, shared_functions(*arithmetic))
            trees.name_columns(tree)
        except (SqlglotError, ValueError, RecursionError) as error:
            raise MetricFileError(f"{self.path}: cannot be read as one SELECT statement: {error}") from error
        tree.comments = [f" {self.definition} "]  # a composed statement shows the definition of each relation
        return tree

    @cached_property
    def _trees(self) -> dict[tuple[str, ...], exp.Select]:
        """The parsed statement by its arithmetic."""
        return {(): self._tree}

    @property
    def definition(self) -> str:
        """The first sentence of the head: what the relation or metric is."""
        return self.head["Definition"]

    @cached_property
    def parameters(self) -> set[str]:
        """The parameters of the statement, without their dollar sign."""
        return trees.parameters(self._tree)

    @cached_property
    def columns(self) -> frozenset[str]:
        """The names of the columns that the statement reads, also as keys of a join."""
        keys = (key for join in self._tree.find_all(exp.Join) for key in join.args.get("using") or ())
        return frozenset(each.name for each in (*self._tree.find_all(exp.Column), *keys))

    @cached_property
    def named_selects(self) -> list[str]:
        """The names of the columns that the statement returns."""
        return self._tree.named_selects

    @cached_property
    def reads(self) -> list[str]:
        """The relations that the statement names in FROM and JOIN."""
        return trees.tables(self._tree)

    @cached_property
    def named(self) -> set[str]:
        """The names after FROM and JOIN in the text: in our own files the same as `reads`, but without parsing."""
        return set(re.findall(r'\b(?:FROM|JOIN) "?(\w+)', re.sub("--.*", "", self.text)))

    @cached_property
    def deciding(self) -> set[str]:
        """The parameters in the text: the same as `parameters`, but without parsing."""
        return set(re.findall(r"\$(\w+)", re.sub("--.*", "", self.text)))

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options that can be set with the metric's name, by name."""
        try:
            return _options(self.head.get("Option", ""))
        except ValueError as error:
            raise MetricFileError(f"{self.path}: an option has a value that is not a number: {error}") from None

    @cached_property
    def when(self) -> dict[str, tuple[str, ...]]:
        """The facts of a question under which a check applies, each with its allowed values; empty if it always does.

        "run = scores; nulls = error, last" is {"run": ("scores",), "nulls": ("error", "last")}.
        """
        return conditions(self.head.get("When", ""))

    @cached_property
    def seen_by(self) -> frozenset[str]:
        """The plans that see the fault of a check without running it, of `PLANS`."""
        return frozenset(_split_list(self.head.get("Seen", "")))

    @property
    def order(self) -> tuple[int, str]:
        """The place of a check: `evaluate` reports the first fault."""
        return int(self.head.get("Order", "3")), self.name

    @cached_property
    def is_plain(self) -> bool:
        """True if the file is one plain aggregate over judged, so that the metric shares a pass with others."""
        clauses = {name for name, value in self._tree.args.items() if value} - {"kind"}
        keys = [key.sql() for key in self._tree.args["group"].expressions] if "group" in clauses else []
        nested = list(self._tree.find_all(exp.Subquery, exp.CTE, exp.Window))
        aliased = any(table.alias for table in self._tree.find_all(exp.Table))
        simple = clauses == {"expressions", trees.FROM, "group"}
        return self.reads == ["judged"] and simple and keys == ["model", "query"] and not nested and not aliased

    @cached_property
    def may_be_in_lists(self) -> bool:
        """True if a metric is of one query, and reads no relation but judged, and that once."""
        return self.reads == ["judged"] and not self.of_whole_run and self._tree.find(exp.Join) is None

    @cached_property
    def cuts_ideal_order(self) -> bool:
        """True if every sum over the ideal order of the metric ends at its cutoff."""

        def reads(node: exp.Expr) -> bool:
            return any(column.name == "ideal_rank" for column in node.find_all(exp.Column))

        sums = filter(reads, self._tree.find_all(exp.Sum))
        return all(any(reads(each.this) for each in total.find_all(exp.Between)) for total in sums)

    @property
    def keys(self) -> list[str | int | exp.Expr]:
        """The columns of a metric that say what its value belongs to."""
        return list(self.named_selects[:-1])

    @cached_property
    def of_whole_run(self) -> bool:
        """True if the metric has one value for a whole run instead of one for each query."""
        return "query" not in self.keys

    def tree(self, *arithmetic: str) -> exp.Select:
        """Return a copy of the statement's tree, to be filled in, with the functions of `sql/arithmetic/` named."""
        if arithmetic not in self._trees:
            self._trees[arithmetic] = self._parsed(*arithmetic)
        return self._trees[arithmetic].copy()

    def filled(
        self, values: Mapping[str, trees.Value | Sequence[str]], tables: Mapping[str, exp.Select] | None = None
    ) -> exp.Select:
        """Return the statement with these values of its parameters, and queries for the relations that it reads."""
        tree = self.tree()
        trees.bind(tree, values)
        if tables is not None:
            for table in trees.find(tree, exp.Table):
                table.replace(tables[table.name].subquery(table.name))
        return tree


def conditions(text: str) -> dict[str, tuple[str, ...]]:
    """Return what the field `When` of a check says.

    >>> conditions("run = scores; nulls = error, last")
    {'run': ('scores',), 'nulls': ('error', 'last')}
    """
    parts = (part.partition("=") for part in text.split(";") if part)
    return {name.strip(): _split_list(values) for name, _, values in parts}


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(value.strip() for value in text.split(",")) if text else ()


def sql_folder() -> Path:
    """Return the folder `sql/`: in the installed package, or next to it in a clone or an editable install."""
    package = Path(str(files("recall_duckdb")))
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / METRICS).is_dir():
            return folder
    raise FileNotFoundError(f"the folder sql/ is neither in {package} nor next to it: reinstall recall-duckdb")


@cache
def shared_functions(*arithmetic: str) -> functions.Functions:
    """Return the functions of `sql/functions.sql` by name; those of each file in `sql/arithmetic/` named take over."""
    paths = [sql_folder() / "functions.sql", *(sql_folder() / "arithmetic" / f"{name}.sql" for name in arithmetic)]
    return functions.Functions("".join(path.read_text(encoding="utf-8") for path in paths))


@cache
def relations() -> dict[str, dict[str, Template]]:
    """Return the templates of the pipeline by relation and variant; the variant is '' if there is only one."""
    found = _relations_of((*STAGES, AGREEMENT, *PLANS))
    # The stages of a relation: what duplicates = best reads, and the rows without units.
    return found | {f"{name}_{stage}": found[name] for name in ("run", "qrels") for stage in ("units", "rows")}


def _relations_of(stages: Sequence[str]) -> dict[str, dict[str, Template]]:
    by_name: dict[str, dict[str, Template]] = {}
    for stage in stages:
        folder = sql_folder() / stage
        for path in sorted(folder.rglob("*.sql")) if stage != METRICS else []:
            name, variant = (path.stem, "") if path.parent == folder else (path.parent.name, path.stem)
            by_name.setdefault(name, {})[variant] = read(path, stage, name, variant)
    return by_name


# The templates that compare models, as `relations` returns them.
comparisons = cache(partial(_relations_of, (COMPARISON,)))


@cache
def checks() -> dict[str, Template]:
    """Return the data checks by name, sorted."""
    return {path.stem: read(path, CHECKS) for path in sorted((sql_folder() / CHECKS).glob("*.sql"))}


@cache
def own_metrics() -> dict[str, Template]:
    """Return every metric of this package by name."""
    return _metrics_in(sql_folder() / METRICS)


def _own_metric(name: str) -> Template:
    return own_metrics()[name]


def metric_files(folder: Path) -> dict[str, Template]:
    """Return every metric of a folder by name; raises `MetricFileError` for a file that is not one metric."""
    metrics = _metrics_in(folder)
    for template in metrics.values():
        _check_statement(template)
        _check_metric(template)
    return metrics


def _metrics_in(folder: Path) -> dict[str, Template]:
    return {path.stem: read(path, METRICS) for path in sorted(folder.glob("*.sql"))}


def read(path: Path, stage: str, name: str = "", variant: str = "") -> Template:
    """Return the template of a SQL file; raises `MetricFileError` if its head is incomplete."""
    kind = special(path)
    if kind is not None:
        raise MetricFileError(f"{path}: is {kind}", fix="Write the metric to a regular file")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise MetricFileError(f"{path}: is not written in UTF-8 ({error})") from error
    except OSError as error:  # a folder with this name, or a broken link
        told = f"{path}: cannot be read: {error.strerror or error}"
        raise MetricFileError(told, fix="Fix or remove the file") from error
    return Template(name or path.stem, variant, stage, str(path), _head(text, path), text)


# The fields of a head, after the definition. `Else`: the relation to read while no parameter is set. `Plan`: when the
# file is used, in `lists` and `one_pass`. For metrics: `Option` is a parameter that is set with the name, `Depth` the
# deepest rank that counts, `Better` says if lower is better, `Decides` if the metric says nothing about the quality of
# a ranking, `Range` if all values are from 0 to 1, `Ties` if there is an expectation over ties, `Slices` if there are
# slices of items, `Mean` and `Empty` how values are averaged, `Trec` and `Also` other names. For checks: `When` it
# applies, the statements by which its fault is `Seen` without it, the `Order` of faults, the `Rule`, and what to `Do`.
_FIELDS = (
    *("Grain", "Params", "Option", "Reads", "Else", "Plan", "Source", "Edges"),
    *("Depth", "Cutoff", "Better", "Decides", "Range", "Ties", "Slices", "Mean", "Empty", "Trec", "Also"),
    *("When", "Seen", "Order", "Rule", "Do"),
)
_FIELD = re.compile(rf"(?P<known>{'|'.join(_FIELDS)}):\s*(?P<content>.*)|(?P<unknown>[A-Z][a-z]+): ")


def _head(text: str, path: Path) -> dict[str, str]:
    """Return the head of a file as {'Definition': …, 'Grain': …, …}; an indented line continues a field."""
    head: dict[str, str] = {}
    name = "Definition"
    for line in _head_lines(text):
        content = line.removeprefix("--").strip()
        started = _FIELD.match(content)
        if started and (unknown := started["unknown"]):
            fix = f"{nearest(unknown, _FIELDS)} Fields: {commas(_FIELDS)}"
            raise MetricFileError(f"{path}: there is no field {unknown!r}", fix=fix)
        if started:
            name, content = started["known"], started["content"]
        if content:
            head[name] = f"{head[name]} {content}" if name in head else content
    for needed, what in (("Definition", "a first line that says what it is"), ("Grain", "a line `-- Grain: …`")):
        if not head.get(needed):
            raise MetricFileError(f"{path}: the comment at its head needs {what}, as the files in sql/4_metrics have")
    return head


def _head_lines(text: str) -> Iterator[str]:
    return takewhile(lambda line: line.startswith("--"), text.split("\n"))


# Parameters that the question sets. An option with such a name would be lost.
_RESERVED = (
    *("k", "threshold", "mean", "undefined", "depth", "precision", "semantics", "min_score", "nulls", "ties"),
    *("unjudged", "ranks", "empty"),
)


def _check_head(template: Template) -> None:
    """Raise MetricFileError for unknown values in a head, which would otherwise be ignored."""
    means = relations()["averages"][""].options["mean"].choices
    allowed = {
        **{"Mean": means, "Empty": ("skip",), "Depth": ("$k",), "Cutoff": ("required",)},
        **{"Better": ("lower",), "Decides": ("no",), "Range": ("0 to 1",)},
    }
    for name, values in allowed.items():
        value = template.head.get(name, values[0])
        _refuse(template, value not in values, f"{name}: {value!r} is not one of {', '.join(values)}")
    rest = _OPTION.sub("", template.head.get("Option", "")).strip()
    _refuse(template, rest, "an option is written `$name = default in (low, high)` or `in {a, b}`")
    for option in template.options.values():
        told, fix = f"${option.name} is a parameter of every evaluation", "Give the option another name"
        _refuse(template, option.name in _RESERVED, told, fix)
        usual = option.default
        if not str(usual).startswith("$"):
            holds = usual in option.choices if option.choices else option.holds(float(usual))
            _refuse(template, not holds, f"the default of ${option.name} is not among its values: {option}")


def _refuse(template: Template, condition: object, told: str, fix: str = "") -> None:
    """Raise MetricFileError if a condition holds."""
    if condition:
        raise MetricFileError(f"{template.path}: {told}", fix=fix)


def _check_statement(template: Template) -> None:
    """Raise MetricFileError unless DuckDB parses one statement; sqlglot also takes `CAST(max(rank AS DOUBLE) AS x`."""
    try:
        count = len(duckdb.extract_statements(template.text))
    except duckdb.Error as error:
        raise MetricFileError(f"{template.path}: cannot be read as one SELECT statement: {error}") from error
    _refuse(template, count != 1, f"cannot be read as one SELECT statement: it holds {count}")


def _check_metric(template: Template) -> None:
    name, tree = template.name, template._tree
    told = f"a metric's name is lowercase letters, digits and underscores, not {name!r}: rename the file"
    _refuse(template, not re.fullmatch("[a-z_][a-z0-9_]*", name), told)
    _check_head(template)
    told = (
        f"a metric file must select the columns model, query, {name} (the name of the file), or model, {name} for one "
        f"value of the whole run, not {', '.join(tree.named_selects)}"
    )
    _refuse(template, tree.named_selects not in (["model", "query", name], ["model", name]), told)
    summary = [relations()[relation][""] for relation in ("measured", "per_query", "averages", "means")]
    taken = {each for relation in summary for each in relation._tree.named_selects} | summary[2].columns
    taken |= set() if template.is_plain else {*relations(), *INPUTS, "metrics"}
    _refuse(template, name in taken, f"{name!r} is a name of the pipeline already: rename the file")
    readable = "judged, ranked, shown, retrieved or qrels"
    for table in tree.find_all(exp.Table):
        told = "but a metric can only read relations of the pipeline"
        told = f"reads the table function {table.this.sql('duckdb')}, {told}: {readable}"
        _refuse(template, not table.name, told)
    told = f"calls {volatile_call(tree)}, whose value may change from call to call, or which has effects"
    fix = "A metric is computed from the relations of the pipeline alone"
    _refuse(template, volatile_call(tree), told, fix)
    unknown = sorted(set(template.reads) - set(relations()) - set(INPUTS))
    told = f"reads {', '.join(unknown)}, which is not a relation of the pipeline; use {readable}"
    _refuse(template, unknown, told)
    # judged must have the columns that a metric reads, if it reads no other relation
    judged = [each for each in relations()["judged"]["ordered"]._tree.named_selects if each != "item_slice_no"]
    unknown = sorted(each for each in template.columns if each.casefold() not in {*judged, *tree.named_selects})[:1]
    if template.is_plain and unknown and not any(tree.find_all(exp.Lambda, exp.Comprehension)):
        fix = f"{nearest(unknown[0], judged)} Its columns: {commas(judged)}"
        _refuse(template, True, f"judged has no column {unknown[0]!r}", fix)
