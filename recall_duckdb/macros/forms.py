"""Writes the statement of a question in other forms: a dbt model, a dbt test, and a table macro of DuckDB.

A form is the statement of `sql` with other relations. So it has every metric and policy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions import reading, trees
from recall_duckdb.definitions.trees import WITH
from recall_duckdb.dialects import readable
from recall_duckdb.dialects.structure import columns_of_tables
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import ArgumentError, quote, spell
from recall_duckdb.evaluation import compose_statement
from recall_duckdb.question import OPTIONAL_INPUTS, SqlQuestion
from recall_duckdb.question.policies import finite
from recall_duckdb.reading.tables import table_named

_NAME = r"""(?:'[^'"{}\\\s]+'|"[^'"{}\\\s]+")"""
OF_DBT = re.compile(rf"(ref|source)\(\s*{_NAME}(?:\s*,\s*{_NAME})*\s*\)")
_CUTOFF = 987_654_321  # stands for the cutoff that is an argument of a macro
_CHECKED = """<= CASE WHEN k >= 1 AND k = floor(k) THEN k
    ELSE error(concat('k: a whole number above 0 is expected, not ', coalesce(CAST(k AS VARCHAR), 'NULL'))) END"""


def write_form(question: SqlQuestion) -> str:
    """Return the statement of a question in the form that it asks for: 'dbt', 'test' or 'macro'.

    Raises:
        ArgumentError: a relation is not written as the form needs it.
    """
    lower = [str(metric) for metric in question.parsed_metrics if reading.is_better_lower(metric.template)]
    if question.form == "test" and lower:
        raise ArgumentError(f"lower is better for {lower[0]}", argument="at_least", fix="Test another metric")
    if question.connection is not None:
        raise ArgumentError(
            f"{spell('form', question.form)} names relations, and reads none", argument="connection", fix="Leave it out"
        )
    return _macro(question) if question.form == "macro" else _of_dbt(question)


def _of_dbt(question: SqlQuestion) -> str:
    placeholders, asked = _with_placeholders(question)
    for name, relation in placeholders.values():
        if not isinstance(relation, str) or not OF_DBT.fullmatch(relation.strip()):
            told, fix = f"{quote(relation)} is no relation of dbt", "Write ref('model') or source('schema', 'table')"
            raise ArgumentError(told, argument=name, fix=fix)
    text = _text(asked, None if question.at_least is None else finite("at_least", question.at_least))
    text = re.sub(r"\{[{%#]", lambda braces: f"{{{{ '{braces[0]}' }}}}", text)  # data, not Jinja
    longest_first = "|".join(sorted(map(re.escape, placeholders), key=len, reverse=True))
    name = rf'["`\[]?\b({longest_first})\b["`\]]?'  # also in quotes and in another case
    return re.sub(name, lambda found: f"{{{{ {placeholders[found[1].lower()][1]} }}}}", text, flags=re.IGNORECASE)


def _macro(question: SqlQuestion) -> str:
    if question.dialect not in (None, "duckdb"):
        raise ArgumentError("table macros are of DuckDB", argument="dialect", fix="Leave it out")
    name = table_named(str(question.name), "name").sql("duckdb")
    metrics = question.parsed_metrics
    cutoffs = {metric.k for metric in metrics if metric.k is not None}
    has_cutoff = len(cutoffs) == 1 and not question.per_query
    if has_cutoff:
        names = [metric.name if metric.k is None else f"{metric.name}@{_CUTOFF}" for metric in metrics]
        question = replace(question, metrics=names)
    placeholders, asked = _with_placeholders(question)
    text = _text(asked, None, is_macro=True)
    arguments = {placeholder: placeholder.removeprefix(_prefix(question)) for placeholder in placeholders}
    for placeholder, argument in arguments.items():
        text = re.sub(rf"\b(FROM|JOIN) {placeholder}\b", rf"\1 query_table({argument}) AS {placeholder}", text)
    signature = [*arguments.values()]
    if has_cutoff:
        text = text.replace(f"<= {_CUTOFF}", _CHECKED, 1).replace(str(_CUTOFF), "k")  # the first one cuts the lists
        signature.append(f"k := {cutoffs.pop()}")
    return f"CREATE MACRO {name}({', '.join(signature)}) AS TABLE\n{text}"


def _prefix(question: SqlQuestion) -> str:
    """Return the first part of the placeholders, which no name or value of the user holds."""
    given = str([*vars(question).values()]).lower()
    return next(prefix for number in count(1) if (prefix := f"relation_{number}_") not in given)


def _with_placeholders(question: SqlQuestion) -> tuple[dict[str, tuple[str, object]], SqlQuestion]:
    """Return the argument and the relation that each placeholder stands for, and the question about placeholders."""
    prefix, found, changed = _prefix(question), dict[str, tuple[str, object]](), dict[str, Any]()
    for name in ("run", "qrels", *OPTIONAL_INPUTS):
        given = question.optional_inputs().get(name) if name in OPTIONAL_INPUTS else getattr(question, name)
        if isinstance(given, Mapping):
            names = {each: f"{prefix}{name}_{number}" for number, each in enumerate(given, start=1)}
            found |= {placeholder: (name, given[each]) for each, placeholder in names.items()}
            changed[name] = names
        elif given is not None:
            found[f"{prefix}{name}"] = name, given
            changed[name] = f"{prefix}{name}"
    return found, replace(question, form="select", name=None, at_least=None, **changed)


def _text(question: SqlQuestion, at_least: float | None, *, is_macro: bool = False) -> str:
    """Return the statement of a question, or of its test, as text with placeholders."""
    with open_session(None, question.dialect, question.sources(), only_written=True) as session:
        statement = compose_statement(question, session)
        statement.set("order", None)  # a model, a test and a macro have no order
        if at_least is not None:
            statement = _test(statement, at_least, [*question.run] if isinstance(question.run, Mapping) else [])
        if is_macro:  # a column may have the name of an argument
            columns_of_tables(statement)
            for column in statement.find_all(exp.Column):
                if column.sql() == "k":
                    column.set("table", exp.to_identifier("metrics"))
        return readable(statement, session.target)


def _test(statement: exp.Query, at_least: float, models: Sequence[str]) -> exp.Query:
    """Return the statement of the means lower than a bound, with a row of NULL for each model that has no mean."""
    with_ = statement.args[WITH]
    statement.set(WITH, None)
    with_.append("expressions", exp.CTE(this=statement, alias=exp.TableAlias(this=exp.to_identifier("means"))))
    asked = trees.union_all([exp.select(exp.alias_(trees.literal(each), "model")) for each in models or ["run"]])
    value, on = trees.column("value"), "means.model = asked.model" if models else "1 = 1"
    failed = exp.or_(value.is_(exp.null()), exp.LT(this=value.copy(), expression=trees.literal(at_least)))
    test = exp.select("means.*").from_(asked.subquery("asked")).join("means", on=on, join_type="left").where(failed)
    test.set(WITH, with_)
    return test
