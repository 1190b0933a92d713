"""The files of the dbt package that are generated.

There is one file for each relation and metric: a macro of its statement for every adapter and, for a metric, the macro
and the data test that users call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from recall_duckdb.dbt import arguments, bodies, checks, statements
from recall_duckdb.dbt.arguments import Public
from recall_duckdb.dbt.catalog import catalog
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import Template
from recall_duckdb.errors import EngineError, MetricFileError

# Each adapter with its fallback: the adapter whose macros dbt uses if it has none of its own.
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
# A parameter as dialects write it: $p, :p, @p, ?, %(p)s or {p: }. Jinja and quoted text are removed first.
_PARAMETER = re.compile(r"[$@?]\w*|(?<!:):\w+|%\(\w+\)s|{\w+:")
_NO_SQL = re.compile(r"{{.*?}}|{%.*?%}|{#.*?#}|'[^']*'", re.DOTALL)


def files() -> dict[str, str]:
    """Return the text of each generated file by its path in `sql/macros`.

    Raises:
        MetricFileError: a SQL file cannot be a macro; the message says what to change.
    """
    of_pipeline = relations()
    metrics = templates.metric_files(templates.sql_folder() / templates.METRICS)  # checked like a user's own files
    texts: dict[str, str] = {}
    of_questions = arguments.question_macros()
    public = [*of_questions]
    for name, template in metrics.items():
        both = arguments.of_metric(template)
        public += both
        text = _macros(f"metric_{name}", "q, m", partial(bodies.metric, template))
        texts[f"generated/metrics/{name}.sql"] = _from(template) + "\n".join([text, *(each.text for each in both)])
    for name, template in {**of_pipeline, **comparison_relations()}.items():
        texts[f"generated/relations/{name}.sql"] = _relation(name, template)
    texts["generated/relations/metrics.sql"] = _from() + _macros("relation_metrics", "q, m", bodies.metric_row)
    texts["generated/evaluate.sql"] = _from() + "\n".join(each.text for each in of_questions)
    texts["generated/type_double.sql"] = _from() + _macros("type_double", "", statements.double)
    texts["generated/type_text.sql"] = _from() + _macros("type_text", "", statements.text)
    texts["generated/checks.sql"] = _from() + checks.macros(ADAPTERS, _check_text)
    texts["generated/catalog.sql"] = _from() + catalog(of_pipeline, metrics, ADAPTERS)
    texts["generated/macros.yml"] = arguments.documented_in_yaml(public, _hidden(texts, public))
    return texts


def _hidden(texts: Mapping[str, str], public: Iterable[Public]) -> set[str]:
    """Return the names of the macros that users do not call."""
    folder = templates.sql_folder() / "macros"
    by_hand = {path.name: path.read_text("utf-8") for path in folder.glob("*.sql")}
    names: dict[str, str] = {}
    for path, text in {**by_hand, **texts}.items():
        for name in re.findall(r"{% macro (\w+)", text):
            if name in names:
                raise MetricFileError(f"sql/macros/{path}: {names[name]} has a macro {name} too: rename the metric")
            names[name] = path
    documented_by_hand = re.findall(r"^  - name: (\w+)", (folder / "macros.yml").read_text("utf-8"), re.MULTILINE)
    return names.keys() - {macro.name for macro in public} - {*documented_by_hand}


def _relation(name: str, template: Template) -> str:
    signature = "q, source" if name == "source" else "q"
    return _from(template) + _macros(f"relation_{name}", signature, partial(bodies.relation, template))


def _macros(name: str, signature: str, body: Callable[[str], str]) -> str:
    """Return a macro with its text for each adapter, except where the fallback has the same text."""
    texts = {adapter: _text(name, adapter, body) for adapter in ADAPTERS}
    written = [
        f"{{% macro {name}({signature}) %}}\n"
        f"  {{{{- return(adapter.dispatch('{name}', 'recall_duckdb')({signature})) -}}}}\n"
        "{% endmacro %}\n"
    ]
    first: dict[str, str] = {}  # by text: the first adapter whose macro has it
    for adapter, parent in ADAPTERS.items():
        text = texts[adapter]
        if parent and text == texts[parent]:
            continue
        prefix = adapter if parent else "default"
        if text in first:
            text = f"  {{{{- return(recall_duckdb.{first[text]}__{name}({signature})) -}}}}"
        first.setdefault(text, prefix)
        written.append(f"{{% macro {prefix}__{name}({signature}) -%}}\n{text}\n{{%- endmacro %}}\n")
    return "\n".join(written)


def _check_text(check: Template, adapter: str) -> str:
    return _text(f"check_{check.name}", adapter, partial(bodies.relation, check))


def _text(name: str, adapter: str, body: Callable[[str], str]) -> str:
    where = f"{name} for {adapter}"
    try:
        text = body(adapter)
    except MetricFileError:
        raise
    except (ValueError, EngineError) as error:
        raise MetricFileError(f"{where}: {error}") from error
    check_no_parameter(text, where)
    return text


def check_no_parameter(text: str, where: str) -> None:
    """Raise `MetricFileError` if the text of a macro still has a parameter."""
    left = _PARAMETER.search(_NO_SQL.sub("", text))
    if left is not None:
        raise MetricFileError(
            f"{where}: the parameter {left[0]} is left in the text",
            fix="Add its Jinja name to recall_duckdb/dbt/parameters.py",
        )


def relations() -> dict[str, Template]:
    """Return the relations by macro name, in the variants that every engine runs."""
    named = {}
    for name, forms in templates.relations().items():
        kept = {"": forms[""]} if name in ("averages", "means") else forms  # the others are of statements for readers
        variants = {variant: template for variant, template in kept.items() if template.stage in templates.STAGES}
        for variant, template in variants.items():
            if variant not in ("lists", "maps") and not _is_not_of_models(template) and name != "counts":
                named[f"{name}_{variant}" if len(variants) > 1 else name] = template
    return named


def _is_not_of_models(template: Template) -> bool:
    """Return True if a relation reads files or rows of them, as only DuckDB can, or ids that Python shows."""
    return "path" in template.parameters or not {"lines", "ids", "shown_ids"}.isdisjoint(template.reads)


def comparison_relations() -> dict[str, Template]:
    """Return the relations that compare models on every engine, by macro name."""
    forms = templates.comparisons()
    chosen = {"scales": "", "pairs": "baseline", "sums": "", "paired_means": ""}
    return {name: forms[name][variant] for name, variant in chosen.items()}


def _from(template: Template | None = None) -> str:
    path = "sql" if template is None else Path(template.path).relative_to(templates.sql_folder().parent).as_posix()
    return f"{{# Written from {path} by `python -m recall_duckdb.dbt`: change that, not this. #}}\n\n"
