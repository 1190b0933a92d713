"""Writes the macros of the dbt package from the files in `sql/`: `python -m recall_duckdb.dbt`, or `--check` in CI.

One file is written for each relation and metric, with a macro of its statement for every adapter, and for a metric the
macro and the data test that users call. Which relations a question needs, and what it is made of, is told by the macros
in `sql/macros` that are written by hand.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import NamedTuple

from recall_duckdb import jinja, templates
from recall_duckdb.metrics import Metric, needs_binary_gain, options
from recall_duckdb.question import BESIDE, Data, documented
from recall_duckdb.templates import Template, inputs_of

# The adapters, and whose macros dbt takes where one has none of its own: it is the text of DuckDB in the end.
ADAPTERS = {
    "duckdb": "",
    "trino": "duckdb",
    "athena": "duckdb",
    "bigquery": "duckdb",
    "clickhouse": "duckdb",
    "spark": "duckdb",
    "databricks": "spark",
    "postgres": "duckdb",
    "redshift": "postgres",
    "snowflake": "duckdb",
}
# Every version of sqlglot has words of its own for some statement; what is committed is written by one.
SQLGLOT = "30.30.0"


def _macros(name: str, signature: str, body: Callable[[str], str]) -> str:
    """A macro, and its forms: one for every adapter whose text is not the one that dbt would take in its place."""
    bodies = {adapter: body(adapter) for adapter in ADAPTERS}
    written = [
        f"{{% macro {name}({signature}) %}}\n"
        f"  {{{{- return(adapter.dispatch('{name}', 'recall_duckdb')({signature})) -}}}}\n"
        "{% endmacro %}\n"
    ]
    first: dict[str, str] = {}  # whose macro has a text, by the text
    for adapter, parent in ADAPTERS.items():
        text = bodies[adapter]
        if parent and text == bodies[parent]:
            continue
        prefix = adapter if parent else "default"
        if text in first:
            text = f"  {{{{- return(recall_duckdb.{first[text]}__{name}({signature})) -}}}}"
        first.setdefault(text, prefix)
        written.append(f"{{% macro {prefix}__{name}({signature}) -%}}\n{text}\n{{%- endmacro %}}\n")
    return "\n".join(written)


def _chosen(name: str, signature: str, calls: Iterable[tuple[str, str]]) -> str:
    """A macro that calls one of others: dbt finds only the calls that it can read."""
    lines = [
        f"  {{%- {'elif' if number else 'if'} {test} -%}} {{{{- {call} -}}}}"
        for number, (test, call) in enumerate(calls)
    ]
    return "\n".join([f"{{% macro {name}({signature}) %}}", *lines, "  {%- endif -%}", "{% endmacro %}", ""])


def _pipeline() -> dict[str, Template]:
    """The relations by the names of their macros, in the forms that every engine runs."""
    found = {}
    for name, forms in templates.relations().items():
        variants = {variant: template for variant, template in forms.items() if template.stage != templates.DUCKDB}
        for variant, template in variants.items():
            if variant not in ("lists", "maps") and name not in ("trec_run", "trec_qrels", "parquet_files", "counts"):
                found[f"{name}_{variant}" if len(variants) > 1 else name] = template
    return found


def _said(value: object) -> str:
    """A value as Jinja writes it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_said(held)}" for key, held in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_said, value)) + "]"
    return repr(value).lower() if isinstance(value, bool) or value is None else repr(value)


def _catalog() -> str:
    """What is known of every metric, as a macro that returns it."""
    rows = []
    for name, template in templates.own_metrics().items():
        metric = Metric(template)
        held = {
            option.name: {
                "default": option.default,
                "choices": list(option.choices),
                "low": option.low if option.low > -inf else -1e308,
                "high": option.high if option.high < inf else None,
                "closed": list(option.closed),
                "says": str(option),
            }
            for option in options(template).values()
        }
        said = {
            "takes_k": "k" in template.parameters,
            "looks_to_k": template.head.get("Depth") == "$k",
            "plain": template.is_plain,
            "whole_run": template.of_whole_run,
            "empty": template.head.get("Empty", "zero"),
            "expected": metric.has_expectation,
            "unexpected": dict(re.findall(r"(\w+) = (\w+)", template.head.get("Ties", ""))),
            "needs_binary_gain": needs_binary_gain(template),
            "own_gain": "gain" in template.options,
            "needs": sorted(inputs_of(template) & set(BESIDE)),
            "options": held,
        }
        rows.append(f"    {name!r}: {_said(said)},")
    return "\n".join(["{% macro metric_catalog() %}", "  {{- return({", *rows, "  }) -}}", "{% endmacro %}", ""])


class Argument(NamedTuple):
    """An argument of a macro: its type and default in dbt's words, and what it says."""

    type: str
    default: str
    says: str


_COLUMNS = "list[string]"
ARGUMENTS = {
    "run": Argument("relation", "", "what was retrieved: a relation, or a mapping of relations by their models' names"),
    "qrels": Argument("relation", "none", "what is relevant; without it, the column relevance of the run judges"),
    "k": Argument("list[integer]", "10", "the cutoff, or a list of them; none for the whole list"),
    "query": Argument(_COLUMNS, "'query'", "the column of queries, or users; or a list of columns"),
    "item": Argument("string", "'item'", "the column of items"),
    "score": Argument("string", "'score'", "the column of scores, of which the highest is the best"),
    "rank": Argument("string", "none", "the column of ranks from 1, in the place of a score"),
    "relevance": Argument(
        "string", "'relevance'", "the column of relevance; none (in YAML null) where every row of qrels is relevant"
    ),
    "model": Argument("string", "none", "the column that says which model a row is of"),
    "by": Argument(_COLUMNS, "none", "the columns to average within, beside the means over all"),
    "by_in": Argument("string", "'qrels'", "the relation that holds the columns of by: qrels or run"),
    "qrels_query": Argument(_COLUMNS, "none", "what query is called in qrels, if otherwise"),
    "qrels_item": Argument("string", "none", "what item is called in qrels, if otherwise"),
    "filter": Argument("string", "none", "a condition on the rows of run, and on those of qrels"),
    "qrels_filter": Argument("string", "none", "the condition on the rows of qrels, if it is another; '' for none"),
    "per_query": Argument("bool", "false", "a row for each judged query, a column for each metric, instead of means"),
    **{
        name: Argument(
            "relation",
            "none",
            f"{documented(Data)[name].partition(';')[0].rstrip('.')}: a relation with the columns "
            f"{', '.join([*keys, *numbers])}",
        )
        for name, (keys, numbers) in BESIDE.items()
    },
    "no_relevant": Argument("string", "'zero'", "a query with nothing relevant: zero or skip"),
    "missing": Argument("string", "'zero'", "a judged query for which the run retrieves nothing: zero or skip"),
    "ties": Argument("string", "'item_desc'", "equal scores: item_desc, item, optimistic, pessimistic or expected"),
    "duplicates": Argument(
        "string", "none", "an item twice in a list counts twice (none: test for it), or once (best)"
    ),
    "nulls": Argument("string", "'last'", "a NULL score is ranked last, a NULL relevance none (last); or drop the row"),
    "precision": Argument("string", "'k'", "what precision divides by where fewer are retrieved: k or retrieved"),
    "semantics": Argument("string", "'trec_eval_10'", "scores compare in 64 bits (trec_eval_10) or 32 (trec_eval_9)"),
    "threshold": Argument("float", "none", "the relevance from which an item is relevant; none: anything above 0"),
    "min_score": Argument("float", "none", "the score below which an item is not recommended; none: all are"),
}
_TESTED = Argument("relation", "", "the relation that dbt tests: the run")
_AT_LEAST = Argument("float", "", "the least that each value may be, at every cutoff, of every model and slice")
_MODEL_COLUMN = Argument("string", "none", "the column that says which model a row is of")
# The macro and the data tests that are of no one metric, in `evaluate.sql` and `tests.sql`.
_OTHERS = {
    "evaluate": (
        "Several metrics in one pass. A SELECT of their means in long form: model, the columns of by, metric, k, value "
        "and queries; or, as per_query, of a row for each judged query.",
        {
            "metrics": Argument(_COLUMNS, "", "names such as recall@5,10 or fbeta(beta=2)@10, each text of one metric"),
            **{key: argument for key, argument in ARGUMENTS.items() if key != "k"},
        },
    ),
    "test_metric_not_below_previous": (
        "Fails for every mean that is lower than before by more than a tolerance, or gone, and where there is none: of "
        "each metric that is compared, more is better.",
        {
            "model": Argument("relation", "", "the relation that dbt tests: means, as evaluate selects them"),
            "previous": Argument("relation", "none", "the means of the run before"),
            "order_by": Argument("string", "none", "instead: a column that tells the runs in the same table apart"),
            "metric": Argument(_COLUMNS, "none", "the metrics to compare, by their names there; none: all"),
            "by": Argument(_COLUMNS, "none", "the columns of slices"),
            "tolerance": Argument("float", "0", "how much lower a value may be"),
        },
    ),
    "test_no_duplicate_recommendations": (
        "Fails for every item that a list holds more than once.",
        {
            "model": _TESTED,
            **{name: ARGUMENTS[name] for name in ("query", "item")},
            "model_column": _MODEL_COLUMN,
        },
    ),
}


class _Public(NamedTuple):
    """A macro or data test that users call."""

    name: str
    says: str
    arguments: Mapping[str, Argument]
    text: str = ""


def _public(name: str, template: Template) -> Iterator[_Public]:
    """The macro of a metric, and the data test that holds its means to a value."""
    takes_k = "k" in template.parameters
    macro = f"{name}_at_k" if takes_k else name
    own = {
        option.name: Argument("string" if option.choices else "float", "none", str(option))
        for option in options(template).values()
        if option.name != "threshold"
    }
    first = ("run", "qrels", "k") if takes_k else ("run", "qrels")
    common = {key: value for key, value in ARGUMENTS.items() if key not in ("run", "qrels", "k")}
    arguments = {**{key: ARGUMENTS[key] for key in first}, **own, **common}
    given = ", ".join(f"{option!r}: {option}" for option in own)
    spelled = f"recall_duckdb.metric_name({name!r}, {'k' if takes_k else 'none'}, {{{given}}})"
    passed = ", ".join(f"{key}={key}" for key in common)
    yield _Public(
        macro,
        template.definition,
        arguments,
        f"{{% macro {macro}({_signature(arguments)}) %}}\n"
        f"  {{{{- recall_duckdb.evaluate({spelled}, run, qrels, {passed}) -}}}}\n"
        "{% endmacro %}\n",
    )
    kept = {key: value for key, value in arguments.items() if key not in ("run", "model", "per_query")}
    arguments = {"model": _TESTED, "at_least": _AT_LEAST, **kept, "model_column": _MODEL_COLUMN}
    passed = ", ".join(f"{key}={'model_column' if key == 'model' else key}" for key in common if key != "per_query")
    yield _Public(
        f"test_{macro}_at_least",
        f"Fails for every mean of {name} that is below a value, and where there is none.",
        arguments,
        f"{{% test {macro}_at_least({_signature(arguments)}) %}}\n"
        f"  {{%- set means = recall_duckdb.evaluate({spelled}, model, qrels, {passed}) -%}}\n"
        f"  {{{{- recall_duckdb.means_at_least(means, {spelled}, at_least, by, model, filter) -}}}}\n"
        "{% endtest %}\n",
    )


def _signature(arguments: Mapping[str, Argument]) -> str:
    written = [f"{name}={default}" if default else name for name, (_, default, _) in arguments.items()]
    return "\n" + textwrap.fill(", ".join(written), 118, initial_indent="  ", subsequent_indent="  ") + "\n"


def _documented(public: Iterable[_Public], others: Iterable[str]) -> str:
    """The properties of the macros in dbt's YAML: those that users call with their arguments, the others hidden."""
    lines = ["# Written by `python -m recall_duckdb.dbt`.", "version: 2", "macros:"]
    for macro in public:
        lines += [f"  - name: {macro.name}", f"    description: {json.dumps(macro.says, ensure_ascii=False)}"]
        lines += ["    arguments:"]
        for name, argument in macro.arguments.items():
            usual = f" (default: {argument.default})" if argument.default else ""
            lines += [f"      - name: {name}", f"        type: {argument.type}"]
            lines += [f"        description: {json.dumps(argument.says + usual, ensure_ascii=False)}"]
    for name in sorted(others):
        lines += [f"  - name: {name}", "    docs: {show: false}"]
    return "\n".join([*lines, ""])


def files() -> dict[str, str]:
    """What is written, by path within `sql/macros`."""
    found: dict[str, str] = {}
    pipeline, metrics = _pipeline(), templates.own_metrics()
    for name, template in pipeline.items():
        signature = "q, source" if name == "source" else "q"
        text = _macros(f"relation_{name}", signature, partial(jinja.relation, template))
        found[f"generated/relations/{name}.sql"] = _from(template) + text
    found["generated/relations/metrics.sql"] = _from(None) + _macros("relation_metrics", "q, m", jinja.metric_row)
    public = [_Public(name, says, arguments) for name, (says, arguments) in _OTHERS.items()]
    for name, template in metrics.items():
        own = list(_public(name, template))
        public += own
        text = _macros(f"metric_{name}", "q, m", partial(jinja.metric, template))
        found[f"generated/metrics/{name}.sql"] = _from(template) + "\n".join([text, *(each.text for each in own)])
    found["generated/type_double.sql"] = _from(None) + _macros("type_double", "", jinja.double)
    by_name = [
        _chosen(
            "relation_of_pipeline",
            "q, name",
            [(f"name == {name!r}", f"recall_duckdb.relation_{name}(q)") for name in pipeline if name != "source"],
        ),
        _chosen(
            "metric",
            "q, m",
            [(f"m.template == {name!r}", f"recall_duckdb.metric_{name}(q, m)") for name in metrics],
        ),
    ]
    adapters = f"{{% macro adapters() %}}\n  {{{{- return({list(ADAPTERS)}) -}}}}\n{{% endmacro %}}\n"
    found["generated/catalog.sql"] = _from(None) + "\n".join([*by_name, _catalog(), adapters])
    by_hand = [path.read_text("utf-8") for path in (templates.sql_folder() / "macros").glob("*.sql")]
    names = set(re.findall(r"{% macro (\w+)", "\n".join([*by_hand, *found.values()])))
    found["generated/macros.yml"] = _documented(public, names - {macro.name for macro in public})
    return found


def _from(template: Template | None) -> str:
    path = "sql" if template is None else Path(template.path).relative_to(templates.sql_folder().parent).as_posix()
    return f"{{# Written from {path} by `python -m recall_duckdb.dbt`: change that, not this. #}}\n\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the macros or, with `--check`, tell whether those that are there are what would be written."""
    parser = argparse.ArgumentParser(prog="python -m recall_duckdb.dbt", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything would change")
    given = parser.parse_args(arguments)
    if version("sqlglot") != SQLGLOT:
        print(
            f"written by sqlglot {SQLGLOT}, not {version('sqlglot')}: pip install sqlglot=={SQLGLOT}", file=sys.stderr
        )
        return 2
    folder = templates.sql_folder() / "macros"
    held = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in (folder / "generated").rglob("*.*")
    }
    written = files()
    changed = sorted(path for path in {*held, *written} if held.get(path) != written.get(path))
    if given.check:
        for path in changed:
            print(f"sql/macros/{path} is not what python -m recall_duckdb.dbt writes")
        return 1 if changed else 0
    for path in changed:
        if path in written:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(written[path], "utf-8")
        else:
            (folder / path).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
