"""Writes the generated files of the dbt package: the metrics and checks of `sql/` as Jinja, and the facts about them.

A metric that is one aggregate over `judged` becomes an expression. Other metrics, and the checks, become a SELECT. The
arithmetic is plain, and the text is SQL that all adapters share, so only names of types are dispatched.
"""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

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
    **dict.fromkeys(["duplicates", "empty", "nulls", "ranks"], ("error",)),
    "command": ("check",),
    "gain": ("exponential", "other"),
    "grades": ("limited", "none"),
    "missing": ("error", "zero", "skip"),
    "models": ("named", "column", "one"),
    "no_relevant": ("error", "zero", "skip"),
    "qrels": ("rows", "none"),
    "run": ("scores", "ranks"),
    "slices": ("qrels", "run", "query_slices", "none"),
}
# Policies at their only value, and parameters of checks.
_FIXED: Mapping[str, Value] = {
    **{"semantics": "trec_eval_10", "qrels": "rows", "nulls": "last", "only_relevant": False, "looked_at": None},
    **{"items": False, "judged_only": False, "depth": None, "exclude": False},
}
# Columns and relations have names that those of the user cannot be confused with.
_COLUMNS = {name: f"rd_{name}" for name in ("model", "query", "item", "score", "slice")}
_IN_CHECKS = {**_COLUMNS, "rank": "rd_rank", "relevant": "rd_relevant", "retrieved": "rd_retrieved"}
_TABLES = {
    **{"judged": "rd_judged{{ s }}", "shown": "rd_shown{{ s }}", "graded": "rd_graded{{ s }}"},
    **{"ideal": "rd_graded{{ s }}", "judgements": "rd_qrels", "run_source": "rd_run"},
    "models": "(SELECT DISTINCT rd_model FROM rd_candidates) AS rd_models",
}
_RELATIONS = (
    *["weighted", "catalog_items", "held_items", "training_size", "obvious_items", "similarities", "unit_features"],
)
_EACH_SLICE = "{% for each in q.slices %}MIN({{ each }}) = MAX({{ each }}){{ ' AND ' if not loop.last }}{% endfor %}"
_NUMBER = 910000.5  # stands for the number of an option, and more than it by whole numbers for the next ones
_CUTOFF = 910000
_WRITTEN = "{# Written from sql by `python -m recall_duckdb.macros`: change that, not this. #}\n"
_SHARED = ("threshold", "gain", "mean")
# Names that an option cannot have: arguments, and what `add_metric` in sql/macros/metrics.sql stores about a metric.
_TAKEN = (
    *("model_column", "at_least", "kwargs", "k", "means", "column", "name", "template", "asked", "judged_by", "suffix"),
    *("text", *keyword.kwlist, *dir(dict)),
)
# Clauses and sentences about policies and lists in cells, which the package does not have.
_POLICY = r"(nulls|duplicates|ranks|unjudged|semantics|depth|items|ties)="
_CLAUSE = re.compile(rf", (or pass|and whether) {_POLICY}[^.]*")
_SENTENCE = re.compile(rf"{_POLICY}|inside a list|an empty list")
# The types and descriptions of arguments that several macros have.
_ARGUMENTS = {
    "run": ("relation", "the lists: a relation, or a mapping from model names to relations"),
    "qrels": ("relation", "the relevance judgements; none if the run holds them"),
    "k": ("list[integer]", "the cutoff, or a list of them; none: the whole list"),
    "model": ("relation", "the relation that dbt tests: the run"),
    "at_least": ("float", "the lowest value that passes, at every cutoff, for every model and slice"),
}


def files() -> dict[str, str]:
    """Return the text of each generated file by its path in `sql/macros`.

    Raises:
        MetricFileError: a SQL file cannot be a part of the package; the message says what to change.
    """
    metrics = templates.metric_files(templates.sql_folder() / templates.METRICS)  # checked like a user's own files
    plain = {name: _with_choices(each, _expression) for name, each in metrics.items() if each.is_plain}
    others = {name: _with_choices(each, _select) for name, each in metrics.items() if not each.is_plain}
    relations = {name: _select(templates.relations()[name][""], {}) for name in _RELATIONS}
    macros = [
        _chosen("aggregate(q, m)", "m.template", plain),
        _chosen("metric_rows(q, m, s)", "m.template", others),
        _chosen("relation(q, name)", "name", relations),
        _chosen("check_rows(q, name)", "name", {name: _select(each, {}) for name, each in checks().items()}),
    ]
    public = [each for name, metric in metrics.items() for each in _public(name, metric)]
    texts = {
        "generated/sql.sql": _WRITTEN + "".join(macros),
        "generated/facts.sql": _WRITTEN + _facts(metrics),
        "generated/metrics.sql": _WRITTEN + "".join(text for text, *_ in public),
    }
    return {**texts, "generated/macros.yml": _yaml([each[1:] for each in public], "".join(texts.values()))}


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
    lines = [
        f"{{%- {'elif' if number else 'if'} {chosen_by} == {name!r} %}}{text}\n"
        for number, (name, text) in enumerate(texts.items())
    ]
    head = "{%- set query, slice, double = q.query, q.slices | join(', '), recall_duckdb.type_double() -%}"
    if chosen_by == "m.template":
        head += "{%- set in_top = '<= ' ~ m.k if m.k else 'IS NOT NULL' -%}"
    return f"{{% macro {signature} %}}\n  {head}\n{''.join(lines)}{{%- endif -%}}{{% endmacro %}}\n"


def _with_choices(template: Template, form: Callable[[Template, Mapping[str, Value]], str]) -> str:
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
    last = texts.pop("k" if str(first.default).startswith("$") else str(first.default))
    by_text = {text: [each for each in texts if texts[each] == text] for text in texts.values() if text != last}
    parts = [
        f"\n{{%- {'elif' if number else 'if'} m.{first.name} in {names} %}}{text}"
        for number, (text, names) in enumerate(by_text.items())
    ]
    return "".join([*parts, f"\n{{%- else %}}{last}{{%- endif %}}"]) if parts else last


def _expression(template: Template, choices: Mapping[str, Value]) -> str:
    """Return the value of a metric as an aggregate over `judged`."""
    tree = _bound(template, choices)
    tree.set("expressions", [tree.expressions[-1].unalias()])
    text = readable(tree, "duckdb").partition("\nFROM ")[0].removeprefix("SELECT")
    return f" {_with_jinja(' '.join(text.split()), template)}"


def _select(template: Template, choices: Mapping[str, Value]) -> str:
    """Return the SELECT of a relation, of a metric, or of the rows that a check finds."""
    tree = _bound(template, choices)
    if template.stage == templates.METRICS:
        tree.expressions[-1].set("alias", _jinja("{{ m.column }}_raw"))
    for node in list(tree.find_all(exp.LT, exp.Alias, exp.Column)):
        if isinstance(node, exp.LT) and node.this.name == "item_slice_no":
            settle(node, exp.true())
        elif node.alias_or_name == "excluded_query":  # an example names a query and an item
            node.pop()
        elif isinstance(node, exp.Alias) and node.alias == node.this.name:  # `query AS query`
            node.replace(node.this)
    peers_as_partition(tree)
    rewritten = without_qualify(tree)
    columns = _IN_CHECKS if template.stage == templates.CHECKS else _COLUMNS
    for name in rewritten.find_all(exp.Identifier):
        if not isinstance(name.parent, (exp.Table, exp.TableAlias)):
            name.set("this", columns.get(name.name, name.name))
    for table in rewritten.find_all(exp.Table):
        table.set("this", _jinja(_TABLES.get(table.name, f"rd_{table.name}")))
    text = readable(rewritten, "duckdb")
    if template.stage != templates.METRICS:  # a statement has many of them
        text = " ".join(text.replace("{{ s }}", "").split())
        text = textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)
    text = _with_jinja(text, template)
    return f"\n{text}" if "\n" in text else f" {text}"


def _bound(template: Template, choices: Mapping[str, Value]) -> exp.Select:
    """Return the statement of a template with what stands for its options."""
    tree = template.tree("plain")
    tree.comments = None
    for node in list(tree.find_all(exp.Coalesce)):
        if node.this == exp.Placeholder(this="k"):
            whole, test = " ".join(node.expressions[0].sql("duckdb").split()), node.parent
            if isinstance(test, exp.LTE) and test.left == node.expressions[0]:
                test.replace(exp.column(_jinja(f"{whole} {{{{ in_top }}}}")))
            else:
                node.replace(exp.column(_jinja(f"{{{{ m.k or '{whole}' }}}}")))
    values: dict[str, Value | exp.Expr] = {**_FIXED, **choices, "k": _CUTOFF}
    values["missing"] = exp.column(_jinja("'{{ q.missing }}'"))
    values |= {name: _NUMBER + place for place, name in enumerate(_numbers(template))}
    unknown = template.parameters - values.keys()
    if unknown:
        raise MetricFileError(
            f"{template.path}: the dbt macros do not support the parameter ${min(unknown)}: give it values in the "
            f"head, as in `-- Option: ${min(unknown)} = 1 in (0, inf)`"
        )
    trees.bind(tree, values)
    for product in list(tree.find_all(exp.Exp)):  # PostgreSQL fails where a power is too small for a double
        product.set("this", exp.Anonymous(this="GREATEST", expressions=[product.this, exp.Literal.number(-600)]))
    for power in list(tree.find_all(exp.Pow)):
        if power.this.name.startswith(str(int(_NUMBER))):  # an option between 0 and 1
            most = exp.Div(this=exp.Literal.number(-600), expression=exp.Ln(this=power.this.copy()))
            power.set("expression", exp.Anonymous(this="LEAST", expressions=[power.expression, most]))
    write_plainly(tree, divides_as_doubles=False)
    return tree


def _jinja(text: str) -> exp.Identifier:
    return exp.Identifier(this=text, quoted=False)


def _numbers(template: Template) -> list[str]:
    numbers = [option.name for option in template.options.values() if not option.choices]
    return ["max_grade"] if template.stage == templates.CHECKS else numbers


def _with_jinja(text: str, template: Template) -> str:
    """Return the text of a statement with Jinja for what the question decides."""
    of = "q" if template.stage == templates.CHECKS else "m"
    for place, name in enumerate(_numbers(template)):
        number, value = _NUMBER + place, f"{{{{ {of}.{name} }}}}"
        text = text.replace(f"LN(CAST('{number}' AS DOUBLE))", f"LN({value})").replace(str(number), value)
    text = text.replace(str(_CUTOFF), "{{ m.k or 'NULL' }}")
    text = text.replace("rd_candidates", "{{ q.candidates }}")
    text = re.sub(r"\n +UNION ALL (?=SELECT \d+ AS \w+\n)", " UNION ALL ", text)
    text = re.sub(r"MIN\(rd_slice\)\s=\sMAX\(rd_slice\)", _EACH_SLICE, text)
    for name, names in {"query": "q.queries", "slice": "q.slices"}.items():
        text = re.sub(rf"\brd_{name}(?=\sIS\sNOT\b)", f"{{{{ {names} | join(' IS NOT NULL AND ') }}}}", text)
        text = re.sub(rf"\brd_{name}\b", f"{{{{ {name} }}}}", text)
    return re.sub(r"AS(\s)DOUBLE\)", r"AS\1{{ double }})", text)


def _option(option: Option) -> dict[str, object]:
    choices = [each for each in option.choices if each != "table" and (option.name != "mean" or each in PORTABLE_MEANS)]
    told = str(replace(option, choices=tuple(choices)))
    return {
        "default": "k" if str(option.default) == "$precision" else option.default,
        "choices": choices,
        "low": max(option.low, -1e308),
        "high": min(option.high, 1e308),
        "closed": option.closed,
        "says": told.replace("the policy precision", "k"),
    }


def _facts(metrics: Mapping[str, Template]) -> str:
    """Return the macros that return facts about metrics, checks and adapters."""
    relations = templates.relations()
    shared = {**relations["graded"][""].options, **relations["averages"][""].options}
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
        "of_python": sorted(vars(EvaluateQuestion)["__dataclass_fields__"]),
        "options": {name: _option(shared[name]) for name in _SHARED},
        "spellings": _spellings(metrics),
    }
    returned: dict[str, Mapping[str, object]] = {
        "facts": facts,
        "metric_catalog": {name: _metric_facts(template) for name, template in metrics.items()},
        "checks": {name: check_facts(check) for name, check in checks().items()},
    }
    lines: list[str] = []
    for name, values in returned.items():
        rows = [f"    {key!r}: {json.dumps(value, ensure_ascii=False)}," for key, value in values.items()]
        lines += [f"{{% macro {name}() %}}", "  {{- return({", *rows, "  }) -}}", "{% endmacro %}", ""]
    return "\n".join(lines)


def _metric_facts(template: Template) -> dict[str, object]:
    """Return what the macros need to know about a metric."""
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
        "shared": [each for each in options(template) if each in _SHARED and each not in template.options],
        "options": {option.name: _option(option) for option in template.options.values()},
    }


def check_facts(check: Template) -> dict[str, object]:
    """Return when a check applies, what it says, and the columns that its example shows."""
    fix = without(_CLAUSE.sub("", check.head["Do"]), _SENTENCE)
    fix = re.sub(r"\bmodel=", "model_column=", fix)  # dbt uses the word model itself
    shown = [name for name in ("model", "query", "item") if name in check.tree().named_selects]
    return {"when": check.when, "rule": check.head["Rule"], "fix": fix, "shown": shown}


def without(text: str, left_out: re.Pattern[str]) -> str:
    """Return a text without the sentences about what a form does not have."""
    return " ".join(each for each in re.split(r"(?<=\.) ", " ".join(text.split())) if not left_out.search(each))


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


def _public(name: str, template: Template) -> list[tuple[str, str, str, dict[str, tuple[str, str]]]]:
    """Return the macro of a metric, and its data test, which fails if a mean is too low.

    Each is its text, its name in the properties, a description, and the type and description of each argument.

    Raises:
        MetricFileError: an option of the metric has the name of an argument.
    """
    for option in template.options:
        if option in argument_docs(EvaluateQuestion).keys() | _metric_facts(template).keys() or option in _TAKEN:
            raise MetricFileError(
                f"{template.path}: ${option} has another meaning in the dbt macros: rename the option of {name}"
            )
    own = {each: option for each, option in options(template).items() if each != "threshold"}
    takes_k = "k" in template.parameters
    macro, cutoff = (f"{name}_at_k", ", k=10") if takes_k else (name, "")
    given = f"qrels=none{cutoff}{''.join(f', {each}=none' for each in own)}"
    pairs = ", ".join(f"{each!r}: {each}" for each in own)
    spelled = f"recall_duckdb.metric_name({name!r}, {'k' if takes_k else 'none'}, {{{pairs}}})"
    documented = {each: _ARGUMENTS[each] for each in ("qrels", "k") if takes_k or each != "k"}
    documented |= {
        each: ("string" if option.choices else "float", str(_option(option)["says"])) for each, option in own.items()
    }
    of_test = {each: _ARGUMENTS[each] for each in ("model", "at_least")}
    return [
        (
            f"{{% macro {macro}(run, {given}) %}}"
            f"{{{{- recall_duckdb.evaluate({spelled}, run, qrels, **kwargs) -}}}}{{% endmacro %}}\n",
            *(macro, template.definition, {"run": _ARGUMENTS["run"], **documented}),
        ),
        (
            f"{{% test {macro}_at_least(model, at_least, {given}) %}}"
            f"{{{{- recall_duckdb.means_at_least({spelled}, model, qrels, at_least, kwargs) -}}}}{{% endtest %}}\n",
            f"test_{macro}_at_least",
            *(f"Fails for each mean of {name} that is below at_least.", {**of_test, **documented}),
        ),
    ]


def _yaml(public: Sequence[tuple[str, str, Mapping[str, tuple[str, str]]]], generated: str) -> str:
    """Return the YAML properties of the macros: those of metrics with their arguments, and inner macros hidden."""
    folder = templates.sql_folder() / "macros"
    lines, anchors = ["# Written by `python -m recall_duckdb.macros`.", "version: 2", "macros: ["], dict[str, str]()

    def argument(name: str, kind: str, description: str) -> str:
        text = f"{{name: {name}, type: {json.dumps(kind)}, description: {json.dumps(description)}}}"
        if text in anchors:
            return f"*{anchors[text]}"
        anchors[text] = name if name not in anchors.values() else f"{name}_{len(anchors)}"
        return f"&{anchors[text]} {text}"

    for name, description, arguments in public:
        told = ", ".join(argument(each, *documented) for each, documented in arguments.items())
        text = json.dumps(description, ensure_ascii=False)
        lines.append(f"  {{name: {name}, description: {text}, arguments: [{told}]}},")
    written = re.findall(r"- {name: (\w+)", (folder / "macros.yml").read_text("utf-8"))
    texts = "".join([generated, *(path.read_text("utf-8") for path in folder.glob("*.sql"))])
    inner = {*re.findall(r"{% macro (\w+)", texts)} - {*written, *(name for name, *_ in public)}
    hidden = ", ".join(f"{{name: {name}, docs: {{show: false}}}}" for name in sorted(inner))
    return "\n".join([*lines, textwrap.fill(hidden, 200, initial_indent="  ", subsequent_indent="  "), "]", ""])
