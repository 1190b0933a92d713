"""Read many score columns of one relation in one scan that makes a row for each score."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from sqlglot import exp

from recall_duckdb.compose import Plan
from recall_duckdb.compose.composer import select_from_user
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.trees import Column
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.reading import SourceSelect

# Read the score columns of a relation in one scan if there are more than this. DuckDB looks up all columns for each
# scan, which takes 0.5 s for 50 score columns of a data frame. One scan that makes rows of 5 million scores takes 0.1 s
# longer than 25 scans.
_MANY_SCORES = 20


def with_stacked_scores(plan: Plan, session: Session) -> Plan:
    """Return the same question with many score columns of a relation read in one scan, if the engine is DuckDB."""
    relation = plan.resolve("run_source")
    if not isinstance(session, DuckDB) or plan.inputs.score_type is not None:  # stacked scores are DOUBLE
        return plan
    groups = [
        list(group) for _, group in groupby(plan.inputs.selects[relation], key=lambda select: id(select.relation))
    ]
    if max(map(len, groups)) <= _MANY_SCORES:
        return plan
    selects = [select for group in groups for select in ([_stack(group)] if len(group) > _MANY_SCORES else group)]
    return replace(plan, inputs=replace(plan.inputs, selects={**plan.inputs.selects, relation: selects}))


def _stack(selects: list[SourceSelect]) -> SourceSelect:
    """Return one select that reads the score columns of several models, all of one relation."""
    first = selects[0]  # its names are the model and the keys, and its numbers the score and others
    columns = {"name": first.names[1:], "number": first.numbers[1:], "extra": first.extras}
    tree = select_from_user("stacked", first.relation, columns)
    trees.bind(tree, {"models": [select.names[0].expression.name for select in selects]})
    for place in trees.find(tree, exp.Placeholder):
        scores = [exp.cast(select.numbers[0].expression.copy(), exp.DataType.Type.DOUBLE) for select in selects]
        place.replace(exp.Array(expressions=scores))
    names, numbers, extras = (
        [Column(trees.column(column.name), column.name) for column in each]
        for each in (first.names, first.numbers, first.extras)
    )
    return SourceSelect(tree.subquery("stacked"), names, numbers, extras, selects)
