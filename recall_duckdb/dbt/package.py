"""The generated files of the dbt package: the metrics and checks of `sql/` as Jinja, and the facts about them.

A metric that is one aggregate over `judged` becomes an expression. Other metrics, and the checks, become a SELECT. The
arithmetic is plain, and the text is SQL that all adapters share, so only names of types are dispatched.
"""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

from sqlglot import exp

from recall_duckdb import __version__
from recall_duckdb.compose.plain import write_plainly
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.folding import settle
from recall_duckdb.definitions.reading import inputs_of, is_better_lower, needs_judgements
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.definitions.trees import Value
from recall_duckdb.dialects import DIALECTS, readable
from recall_duckdb.dialects.structure import peers_as_partition, without_qualify
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question import OPTIONAL_INPUTS, RESULT_COLUMNS, EvaluateQuestion, argument_docs
from recall_duckdb.question.cutoffs import LARGEST_K
from recall_duckdb.question.metrics import PORTABLE_MEANS, needs_binary_gain, options
from recall_duckdb.question.policies import DISTANCE, RANKS
from recall_duckdb.question.spellings import spellings

# Each adapter with its fallback: the adapter whose macros dbt uses if it has none of its own.
ADAPTERS = {
    **dict.fromkeys(["duckdb", "postgres", "snowflake", "bigquery", "spark", "trino", "athena", "clickhouse"], ""),
    **{"redshift": "postgres", "databricks": "spark"},
}
# What a question of the package decides, with the values that its checks see.
FACTS: Mapping[str, tuple[str, ...]] = {
    **{name: ("given",) for name in OPTIONAL_INPUTS if name not in ("items", "item_slices", "item_map")},
    "command": ("check",),
    "duplicates": ("error",),
    "empty": ("error",),
    "gain": ("exponential", "other"),
    "grades": ("limited", "none"),
    "missing": ("error", "zero", "skip"),
    "models": ("named", "column", "one"),
    "no_relevant": ("error", "zero", "skip"),
    "nulls": ("error",),
    "qrels": ("rows", "none"),
    "ranks": ("error",),
    "run": ("scores", "ranks"),
    "slices": ("qrels", "run", "query_slices", "none"),
}
# Policies at their only value, and parameters of checks.
_FIXED: Mapping[str, Value] = {
    **{"semantics": "trec_eval_10", "qrels": "rows", "nulls": "last", "only_relevant": False, "looked_at": None},
    **{"items": False, "judged_only": False, "depth": None, "exclude": False},
}
# Names of columns and relations in the package: those of the user cannot be confused with them.
_RENAMED = {name: f"rd_{name}" for name in ("model", "query", "item", "score", "slice")}
_IN_CHECKS = {**_RENAMED, "rank": "rd_rank", "relevant": "rd_relevant", "retrieved": "rd_retrieved"}
_OF_JUDGING = {"judged": "judged", "ideal": "graded", "graded": "graded", "shown": "shown"}
_RELATIONS = (
    *["weighted", "catalog_items", "held_items", "training_size", "obvious_items", "similarities", "unit_features"],
)
_MODELS = "(SELECT DISTINCT rd_model FROM rd_candidates) AS rd_models"
_JUDGED = ("relevance", "gain", "top_gain", "ideal_rank", "relevant", "retrieved", "hits", "relevant_hits")
# A sum in whole units of 2^-70.
_EXACT = re.compile(
    r"CAST\(SUM\(CAST\((.*?) \* POWER\(2, 70\) AS DECIMAL\(38, 0\)\)\)( OVER \([^)]*\)) AS DOUBLE\) / POWER\(2, 70\)"
)
_SHARED = ("threshold", "gain", "mean")
_NUMBER = 910006.5  # stands for the number of an option, and more than it by whole numbers for the next ones
_CUTOFF = 910001
_WRITTEN = "{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}\n"
# Names that an option cannot have: arguments, and what `add_metric` in sql/macros/metrics.sql stores about a metric.
_TAKEN = (
    *("model_column", "at_least", "kwargs", "k", "means", "column", "name", "template", "asked", "judged_by", "suffix"),
    *("takes_k", "needs_k", "depth", "plain", "whole_run", "empty", "lower", "needs", "reads", "whole", "shared"),
    *("options", "needs_judgements", "needs_binary_gain", *keyword.kwlist, *dir(dict)),
)
# Clauses and sentences about policies and lists in cells, which the package does not have.
_POLICY = r"(nulls|duplicates|ranks|unjudged|semantics|depth|items|ties)="
_CLAUSE = re.compile(rf", (or pass|and whether) {_POLICY}[^.]*")
_SENTENCE = re.compile(rf"{_POLICY}|inside a list|an empty list")


def files() -> dict[str, str]:
    """Return the text of each generated file by its path in `sql/macros`.

    Raises:
        MetricFileError: a SQL file cannot be a part of the package; the message says what to change.
    """
    metrics = templates.metric_files(templates.sql_folder() / templates.METRICS)  # checked like a user's own files
    plain = {name: metric for name, metric in metrics.items() if metric.is_plain}
    others = {name: metric for name, metric in metrics.items() if not metric.is_plain}
    relations = {name: templates.relations()[name][""] for name in _RELATIONS}
    macros = [
        _chosen(
            "aggregate(m)", "m.template", {name: _of_metric(metric, _expression) for name, metric in plain.items()}
        ),
        _chosen(
            "metric_rows(q, m, s)", "m.template", {name: _of_metric(each, _select) for name, each in others.items()}
        ),
        _chosen("relation(q, name)", "name", {name: _select(each, {}) for name, each in relations.items()}),
        _chosen("check_rows(q, name)", "name", {name: _select(each, {}) for name, each in checks().items()}),
    ]
    named = [text for name, metric in metrics.items() for text in _public(name, metric)]
    return {
        "generated/sql.sql": _WRITTEN + "".join(macros),
        "generated/facts.sql": _WRITTEN + _facts(metrics),
        "generated/metrics.sql": _WRITTEN + "".join(named),
        "generated/macros.yml": _yaml(metrics),
    }


def checks() -> dict[str, Template]:
    """Return the checks that a data test of dbt runs, by name, in the order in which `evaluate` reports faults."""
    found = {
        name: check
        for name, check in templates.checks().items()
        if all(not {*FACTS.get(fact, ())}.isdisjoint(allowed) for fact, allowed in check.when.items())
    }
    return dict(sorted(found.items(), key=lambda each: (each[1].order, each[0])))


def _chosen(signature: str, chosen_by: str, texts: Mapping[str, str]) -> str:
    """Return a macro that has one of these texts."""
    head = "  {%- set query, double = q.query if q is defined else none, recall_duckdb.type_double() -%}\n"
    if "q" not in signature.partition("(")[2]:
        head = "  {%- set double = recall_duckdb.type_double() -%}\n"
    lines = [
        f"{{%- {'elif' if number else 'if'} {chosen_by} == {name!r} %}}{_indented(text)}\n"
        for number, (name, text) in enumerate(texts.items())
    ]
    return f"{{% macro {signature} %}}\n{head}{''.join(lines)}{{%- endif -%}}\n{{% endmacro %}}\n"


def _indented(text: str) -> str:
    return f"\n{text}" if "\n" in text else f" {text}"


def _of_metric(template: Template, form: Callable[[Template, Mapping[str, Value]], str]) -> str:
    """Return the text of a metric, with a branch in Jinja for each choice of an option that changes it."""
    choices = [option for option in template.options.values() if option.choices]
    return _branches(choices, partial(form, template), {})


def _branches(
    choices: Sequence[Option], form: Callable[[Mapping[str, Value]], str], settled: Mapping[str, Value]
) -> str:
    if not choices:
        return form(settled)
    first, *rest = choices
    texts = {choice: _branches(rest, form, {**settled, first.name: choice}) for choice in first.choices}
    default = "k" if str(first.default).startswith("$") else str(first.default)
    if len({*texts.values()}) == 1:
        return texts[default]
    last = texts.pop(default)
    by_text = {text: [each for each in texts if texts[each] == text] for text in texts.values() if text != last}
    parts = [
        f"{{%- {'elif' if number else 'if'} m.{first.name} in {names} %}}{_indented(text)}\n"
        for number, (text, names) in enumerate(by_text.items())
    ]
    return "".join([*parts, f"{{%- else %}}{_indented(last)}{{%- endif %}}"])


def _expression(template: Template, settled: Mapping[str, Value]) -> str:
    """Return the value of a metric as an aggregate over `judged`."""
    tree, jinja = _bound(template, settled)
    tree.set("expressions", [tree.expressions[-1].unalias()])
    text = readable(tree, "duckdb").partition("\nFROM ")[0].removeprefix("SELECT")
    return _with_jinja(" ".join(text.split()), template, jinja)


def _select(template: Template, settled: Mapping[str, Value]) -> str:
    """Return the SELECT of a relation, of a metric, or of the rows that a check finds."""
    tree, jinja = _bound(template, settled)
    is_metric, is_check = template.stage == templates.METRICS, template.stage == templates.CHECKS
    if is_metric:
        tree.expressions[-1].set("alias", exp.to_identifier("jinja_raw"))
    for node in list(tree.find_all(exp.LT, exp.Alias)):
        if isinstance(node, exp.LT) and node.this.name == "item_slice_no":
            settle(node, exp.true())
        elif isinstance(node, exp.Alias) and node.alias == node.this.name:  # `query AS query`
            node.replace(node.this)
    for node in [node for node in tree.find_all(exp.Alias, exp.Column) if node.alias_or_name == "excluded_query"]:
        node.pop()  # an example names a query and an item
    peers_as_partition(tree)
    rewritten = without_qualify(tree)
    for name in rewritten.find_all(exp.Identifier):
        if not isinstance(name.parent, (exp.Table, exp.TableAlias)):
            name.set("this", (_IN_CHECKS if is_check else _RENAMED).get(name.name, name.name))
    for table in rewritten.find_all(exp.Table):
        table.set("this", exp.to_identifier(f"rd_{table.name}"))
    text = readable(rewritten, "duckdb").replace("FROM rd_models\n", f"FROM {_MODELS}\n")
    if not is_metric:  # a statement has many of them
        text = textwrap.fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)
    return _with_jinja(re.sub(r"\n +UNION ALL (?=SELECT \d+ AS \w+\n)", " UNION ALL ", text), template, jinja)


def _bound(template: Template, settled: Mapping[str, Value]) -> tuple[exp.Select, dict[str, str]]:
    """Return the statement of a template, and the Jinja for the numbers and names that stand for its options."""
    tree = template.tree("plain")
    tree.comments = None
    jinja: dict[str, str] = {}
    for place, node in enumerate(list(tree.find_all(exp.Coalesce))):
        if isinstance(node.this, exp.Placeholder) and str(node.this.this) == "k":
            whole = " ".join(node.expressions[0].sql("duckdb").split())
            jinja[f"jinja_{place}_"] = f"{{{{ m.k or '{whole}' }}}}"
            node.replace(exp.column(f"jinja_{place}_"))
    numbers = [option.name for option in template.options.values() if not option.choices]
    values: dict[str, Value | exp.Expr] = {**_FIXED, **settled, "k": _CUTOFF, "max_grade": 910005.5}
    values["missing"] = exp.column("jinja_missing")
    values |= {name: _NUMBER + place for place, name in enumerate(numbers)}
    jinja |= {str(_NUMBER + place): f"{{{{ m.{name} }}}}" for place, name in enumerate(numbers)}
    unknown = template.parameters - values.keys()
    if unknown:
        raise MetricFileError(
            f"{template.path}: the dbt macros do not support the parameter ${min(unknown)}: give it values in the "
            f"head, as in `-- Option: ${min(unknown)} = 1 in (0, inf)`"
        )
    trees.bind(tree, values)
    write_plainly(tree, divides_as_doubles=False)
    jinja |= {"910001": "{{ m.k or 'NULL' }}", "910005.5": "{{ q.max_grade }}", "jinja_missing": "'{{ q.missing }}'"}
    return tree, jinja


def _with_jinja(text: str, template: Template, jinja: Mapping[str, str]) -> str:
    """Return the text of a statement with Jinja for what the question decides."""
    suffix = "" if template.stage == templates.CHECKS else "{{ s }}"
    text = re.sub(r"\brd_(judged|ideal|graded|shown)\b", lambda name: f"rd_{_OF_JUDGING[name[1]]}{suffix}", text)
    text = _EXACT.sub(r"SUM(\1)\2", text.replace("rd_judgements", "rd_qrels").replace("rd_run_source", "rd_run"))
    text = text.replace("rd_candidates", "{{ q.candidates }}").replace("jinja_raw", "{{ m.column }}_raw")
    text = text.replace("rd_query IS NOT NULL", "{{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL")
    text = text.replace("rd_slice IS NOT NULL", "{{ q.slices | join(' IS NOT NULL AND ') }} IS NOT NULL")
    text = re.sub(
        r"MIN\(rd_slice\) = MAX\(rd_slice\)",
        "{% for each in q.slices %}MIN({{ each }}) = MAX({{ each }}){{ ' AND ' if not loop.last }}{% endfor %}",
        text,
    )
    text = re.sub(r"\brd_query\b(?! AS\b)", "{{ query }}", text)
    text = re.sub(r"\brd_slice\b", "{{ q.slices | join(', ') }}", text)
    text = re.sub(r"LN\('(910\d+\.5)'\)", r"LN(\1)", text)
    for number, expression in jinja.items():
        text = text.replace(number, expression)
    left = re.search(r"9100\d\d|jinja_", text)
    if left is not None:
        raise MetricFileError(f"{template.path}: {left[0]} is left in the text {text}")
    return text.replace("AS DOUBLE)", "AS {{ double }})")


def _reads(template: Template, cutoff: int | None) -> list[str]:
    """Return the columns of `judged` and the relations that a metric reads."""
    found = set[str]()
    choices = [option for option in template.options.values() if option.choices]

    def form(settled: Mapping[str, Value]) -> str:
        tree = template.tree("plain")
        trees.bind(tree, {**_FIXED, **settled, "k": cutoff})
        found.update(column.name for column in tree.find_all(exp.Column) if column.name in _JUDGED)
        return ""

    _branches(choices, form, {})
    of_judged = [name for name in _JUDGED if name in found] if "judged" in template.reads else []
    return of_judged + [name for name in dict.fromkeys(template.reads) if name not in ("models", "candidates")]


def _option(option: Option) -> dict[str, object]:
    choices = [each for each in option.choices if each != "table" and (option.name != "mean" or each in PORTABLE_MEANS)]
    told = str(replace(option, choices=tuple(choices)))
    return {
        "default": "k" if str(option.default) == "$precision" else option.default,
        "choices": choices,
        "low": max(option.low, -1e308),
        "high": min(option.high, 1e308) if option.high < inf else 1e308,
        "closed": list(option.closed),
        "says": told.replace("the policy precision", "k"),
    }


def _facts(metrics: Mapping[str, Template]) -> str:
    """Return the macros that return facts about metrics, checks and adapters."""
    of_metrics: dict[str, dict[str, object]] = {}
    shared: dict[str, object] = {}
    for name, template in metrics.items():
        found = options(template)
        shared |= {each: _option(found[each]) for each in _SHARED if each in found and each not in template.options}
        of_metrics[name] = _metric_facts(template)
    shared["mean"] = {**_option(options(metrics["recall"])["mean"]), "default": "arithmetic"}
    names = dict(vars(EvaluateQuestion)["__dataclass_fields__"])
    facts = {
        "adapters": list(ADAPTERS),
        "repeats": [name for name in ADAPTERS if DIALECTS[name].repeats_relations],
        "version": __version__,
        "distance": DISTANCE,
        "ranks": RANKS,
        "largest_k": LARGEST_K,
        "result_columns": RESULT_COLUMNS,
        "optional_inputs": {
            name: {"names": ids, "numbers": numbers}
            for name, (ids, numbers) in OPTIONAL_INPUTS.items()
            if name in FACTS
        },
        "of_python": sorted(names),
        "options": shared,
        "spellings": _spellings(metrics),
    }
    of_checks = {name: check_facts(check) for name, check in checks().items()}
    returned: dict[str, Mapping[str, object]] = {"facts": facts, "metric_catalog": of_metrics, "checks": of_checks}
    return "".join(_mapping(name, values) for name, values in returned.items())


def _metric_facts(template: Template) -> dict[str, object]:
    """Return what the macros need to know about a metric."""
    whole, at_k = _reads(template, None), _reads(template, 10)
    return {
        "takes_k": "k" in template.parameters,
        "needs_k": template.head.get("Cutoff") == "required",
        "depth": template.head.get("Depth") == "$k",
        "plain": template.is_plain,
        "whole_run": template.of_whole_run,
        "empty": template.head.get("Empty", "zero"),
        "mean": "whole" if template.of_whole_run else template.head.get("Mean", "arithmetic"),
        "lower": is_better_lower(template),
        "needs_judgements": needs_judgements(template),
        "needs_binary_gain": needs_binary_gain(template),
        "needs": sorted(inputs_of(template) & {*OPTIONAL_INPUTS}),
        "reads": [each for each in at_k if each != "judged"],
        "whole": [each for each in whole if each not in at_k],
        "shared": [each for each in options(template) if each in _SHARED and each not in template.options],
        "options": {option.name: _option(option) for option in template.options.values()},
    }


def check_facts(check: Template) -> dict[str, object]:
    """Return when a check applies, what it says, and the columns that its example shows."""
    fix = _CLAUSE.sub("", check.head["Do"])
    fix = " ".join(text for text in re.split(r"(?<=\.) ", fix) if not _SENTENCE.search(text))
    fix = re.sub(r"\bmodel=", "model_column=", fix)  # dbt uses the word model itself
    shown = [name for name in ("model", "query", "item") if name in check.tree().named_selects]
    return {"when": dict(check.when), "rule": check.head["Rule"], "fix": fix, "shown": shown}


def _mapping(name: str, values: Mapping[str, object]) -> str:
    """Return a macro that returns a mapping of these values."""
    rows = [f"    {key!r}: {_literal(value)}," for key, value in values.items()]
    return "\n".join([f"{{% macro {name}() %}}", "  {{- return({", *rows, "  }) -}}", "{% endmacro %}", ""])


def _literal(value: object) -> str:
    """Return a value as a Jinja literal."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value).lower() if isinstance(value, bool) or value is None else repr(value)


def _spellings(metrics: Mapping[str, Template]) -> dict[str, str]:
    """Return the names of other libraries for metrics, in lower case and without cutoffs and options.

    A name that ends with an underscore is followed by the cutoff, as in ndcg_cut_10.
    """
    found: dict[str, str] = {}
    for name, template in metrics.items():
        for spelling in spellings(template, "Trec", "Also"):
            other = spelling.name.partition("@")[0].lower().removesuffix("$k")
            if not spelling.options and "$" not in other and other not in metrics:
                found.setdefault(other, name)
    return found


def _public(name: str, template: Template) -> list[str]:
    """Return the macro of a metric, and its data test, which fails if a mean is too low.

    Raises:
        MetricFileError: an option of the metric has the name of an argument.
    """
    known = argument_docs(EvaluateQuestion).keys()
    for option in template.options:
        if option in known or option in _TAKEN:
            raise MetricFileError(
                f"{template.path}: ${option} has another meaning in the dbt macros: rename the option of {name}"
            )
    takes_k, own = "k" in template.parameters, _own_options(template)
    macro, k = (f"{name}_at_k", "k") if takes_k else (name, "none")
    words = "".join(f", {each}=none" for each in own)
    pairs = ", ".join(f"{each!r}: {each}" for each in own)
    spelled = f"recall_duckdb.metric_name({name!r}, {k}, {{{pairs}}})"
    cutoff = ", k=10" if takes_k else ""
    return [
        f"{{% macro {macro}(run, qrels=none{cutoff}{words}) %}}"
        f"{{{{- recall_duckdb.evaluate({spelled}, run, qrels, **kwargs) -}}}}{{% endmacro %}}\n",
        f"{{% test {macro}_at_least(model, at_least, qrels=none{cutoff}{words}) %}}"
        f"{{{{- recall_duckdb.means_at_least({spelled}, model, qrels, at_least, kwargs) -}}}}{{% endtest %}}\n",
    ]


def _own_options(template: Template) -> list[str]:
    return [name for name in options(template) if name != "threshold"]


def _yaml(metrics: Mapping[str, Template]) -> str:
    """Return the YAML properties of the macros: those of metrics with their arguments, and inner macros hidden."""
    folder = templates.sql_folder() / "macros"
    written = (folder / "macros.yml").read_text("utf-8")
    lines = ["# Written by `python -m recall_duckdb.dbt`.", "version: 2", "macros:"]
    anchors: dict[str, str] = {}

    def argument(name: str, kind: str, description: str) -> str:
        text = f"{{name: {name}, type: {json.dumps(kind)}, description: {json.dumps(description)}}}"
        if text in anchors:
            return f"*{anchors[text]}"
        anchors[text] = name if name not in anchors.values() else f"{name}_{len(anchors)}"
        return f"&{anchors[text]} {text}"

    for name, template in metrics.items():
        takes_k = "k" in template.parameters
        found, macro = options(template), f"{name}_at_k" if takes_k else name
        shared = [argument("qrels", "relation", "the relevance judgements; none if the run holds them")]
        if takes_k:
            shared.append(argument("k", "list[integer]", "the cutoff, or a list of them; none: the whole list"))
        for each in _own_options(template):
            kind = "string" if found[each].choices else "float"
            shared.append(argument(each, kind, str(_option(found[each])["says"])))
        run = argument("run", "relation", "the lists: a relation, or a mapping from model names to relations")
        tested = [
            argument("model", "relation", "the relation that dbt tests: the run"),
            argument("at_least", "float", "the lowest value that passes, at every cutoff, for every model and slice"),
        ]
        aliases = [re.sub(r"^&(\w+) .*", r"*\1", each) for each in shared]
        lines += [
            f"  {{name: {macro}, description: {json.dumps(template.definition, ensure_ascii=False)}, "
            f"arguments: [{', '.join([run, *shared])}]}},",
            f'  {{name: test_{macro}_at_least, description: "Fails for each mean of {name} that is below at_least.", '
            f"arguments: [{', '.join([*tested, *aliases])}]}},",
        ]
    inner = _inner(folder.glob("*.sql")) - {*re.findall(r"- {name: (\w+)", written)}
    inner |= {"aggregate", "metric_rows", "relation", "check_rows", "facts", "metric_catalog", "checks"}
    lines[2] = "macros: ["
    hidden = ", ".join(f"{{name: {name}, docs: {{show: false}}}}" for name in sorted(inner))
    return "\n".join([*lines, textwrap.fill(hidden, 200, initial_indent="  ", subsequent_indent="  "), "]", ""])


def _inner(paths: Iterable[Path]) -> set[str]:
    return {name for path in paths for name in re.findall(r"{% macro (\w+)", path.read_text("utf-8"))}
