"""Compare the lists of models with those of a baseline, without judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recall_duckdb import checking, report
from recall_duckdb.answering.planning import opened
from recall_duckdb.compose import Kept, Plan, Replacements, Statement
from recall_duckdb.definitions.trees import as_literal
from recall_duckdb.engines import Session
from recall_duckdb.errors import ArgumentError, DataError, UnknownNameError, commas, digits, nearest, quote
from recall_duckdb.frames import ModelRows, choose_model
from recall_duckdb.noting import warn_of_lists
from recall_duckdb.question import AgreementQuestion
from recall_duckdb.reading.files import Files

if TYPE_CHECKING:
    import duckdb


class Agreement(ModelRows):
    """How far the lists of models agree with those of a baseline, as `agreement` returns it.

    It has a row for each other model: model, k, then

    - jaccard: the number of items in both top k lists, divided by the number of items in either list;
    - rbo: rank-biased overlap, which gives the top ranks the most weight, extrapolated from the top k;
    - changed: for how many queries the top k differ, in items or order; queries: the number of queries for which both
      have a list;
    - only_model, only_baseline: for how many queries only one of the two has a list. They count in no mean.
    """

    def __init__(
        self,
        rows: list[dict[str, Any]],
        types: Mapping[str, str],
        question: AgreementQuestion,
        watched: Sequence[Files] = (),
    ) -> None:
        super().__init__(rows, types)
        self._question, self._watched = question, watched

    def value(self, column: str, *, model: object = None) -> Any:
        """Return one number of the table, such as "rbo".

        Raises:
            UnknownNameError: there is no such column or model.
            ArgumentError: there are several models, and `model` names none.
        """
        [row] = [row for row in self._rows if row["model"] == self._model(model)]
        if not isinstance(column, str) or column not in row:
            raise UnknownNameError(
                f"there is no column {quote(column)}", fix=f"{nearest(column, row)} Columns: {commas(row)}"
            )
        return row[column]

    def per_query(self, *, model: object = None) -> duckdb.DuckDBPyRelation:
        """Return the agreement for each query that both have a list for, with the largest change first.

        The runs are read again.

        Args:
            model: the model, if several were compared with the baseline.

        Returns:
            A DuckDB relation with model, the query columns, jaccard, rbo and changed (1 if the top k differ, else 0).

        Raises:
            UnknownNameError: there is no such model.
            ArgumentError: there are several models, and `model` names none.
        """
        chosen = self._model(model)
        question = self._question
        with opened(question, self._watched) as (session, plan):
            return session.values(Statement(_plan(question, plan, chosen)).of("agreement_of_queries"))

    @property
    def shown(self) -> report.Table:
        """The table for readers."""
        question = self._question
        at_k = "" if question.k is None else f"@{question.k}"
        header = ["model", f"jaccard{at_k}", f"rbo{at_k}", "changed", "queries"]
        left_out = [
            f"queries left out because only one of the two has a list: {row['only_model']:,} of {row['model']}, "
            f"{row['only_baseline']:,} of {question.baseline}"
            for row in self._rows
            if row["only_model"] or row["only_baseline"]
        ]
        how = f"baseline: {question.baseline}; rbo: rank-biased overlap, p = {digits(question.p)}"
        body = [_line(row) for row in self._rows]
        return report.Table(header, body, [how, *left_out], 4, self._rows, list(self._types))


def _line(row: Mapping[str, Any]) -> list[str]:
    numbers = ["" if row[name] is None else f"{row[name]:.4f}" for name in ("jaccard", "rbo")]
    return [str(row["model"]), *numbers, *(f"{row[name]:,}" for name in ("changed", "queries"))]


def compute_agreement(question: AgreementQuestion) -> Agreement:
    """Return the result of `agreement`."""
    with opened(question) as (session, plan):
        checking.check_rows(plan, session)
        _check_baseline(question, plan, session)
        checking.check_queries(plan, session, {})
        warn_of_lists(plan, session)
        statement = Statement(_plan(question, plan))
        rows, types = session.rows_and_types(Kept(statement, Statement.of, "agreement"))
    if not any(row["queries"] for row in rows):
        raise DataError(
            f"no model has a query in common with the baseline {quote(question.baseline)}",
            argument="run",
            fix=f"Compare the values of column {question.names.query[0]!r} in the runs",
        )
    types = {"model": types.pop("model"), "k": "BIGINT", **types}
    table = [{"model": row.pop("model"), "k": question.k, **row} for row in rows]
    return Agreement(table, types, question, plan.inputs.watched)


def _check_baseline(question: AgreementQuestion, plan: Plan, session: Session) -> None:
    """Refuse a run of one model, and a baseline that is not one of several."""
    models: list[object] = list(plan.inputs.models or [])
    if plan.inputs.models is None:
        models = [model for (model,) in session.rows(Statement(plan).of_table("given_models"))]
    if len(models) < 2:
        raise ArgumentError(
            "pass at least two models, as in {'old': path, 'new': path}, two score columns, or a column of models",
            argument="run",
        )
    choose_model(question.baseline, models, "baseline")


def _plan(question: AgreementQuestion, plan: Plan, model: object = None) -> Plan:
    """Return the plan that compares lists; `model` is the one whose queries are listed."""
    parameters = {"baseline": as_literal(question.baseline), "p": float(question.p), "model": as_literal(model)}
    return replace(plan, replacements=Replacements(parameters=parameters))
