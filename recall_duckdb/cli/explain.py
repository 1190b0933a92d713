"""The command `explain`: shows the list of one query item by item."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from recall_duckdb import evaluate, report
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question, add_texts
from recall_duckdb.cli.options import connection_of, question_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.errors import UnknownNameError
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.result import Result
from recall_duckdb.texts import missing_lines


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("query_id", metavar="QUERY", help="a query; a,b if two columns identify it")
    add_question(parser, EvaluateQuestion, RUNS)
    parser.add_argument("--baseline", metavar="MODEL", help="the model to compare the lists of the others with")
    parser.add_argument(
        "-k", type=int, metavar="K", help="how many items of a list count (default: the largest cutoff of the metrics)"
    )
    add_texts(parser)
    add_format(parser)
    add_duckdb(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Show the items of the query in the list of each model."""
    connection, question = connection_of(arguments), question_of(arguments, EvaluateQuestion)
    columns = arguments.query or []
    query = tuple(arguments.query_id.split(",")) if len(columns) > 1 else arguments.query_id

    def work() -> Answer:
        return _explain(evaluate(**question, connection=connection), query, arguments)

    try:
        return with_progress(connection, work)
    except UnknownNameError as error:
        if error.argument != "query":
            raise
        raise UnknownNameError(error.problem, argument="QUERY", fix=error.fix) from error


def _explain(result: Result, query: object, arguments: argparse.Namespace) -> Answer:
    """Return the items of the query, the relevant ones in bold, with their texts if there are any."""
    how = {"baseline": arguments.baseline, "k": arguments.k, "texts": arguments.texts}
    item, is_relevant = result.data.plan.inputs.user_names["item"], result.data.question.policies.is_relevant
    names, rows, bold = list[str](), list[list[object]](), list[int]()
    for model in result.counts:
        if str(model) == arguments.baseline and len(result.counts) > 1:
            continue
        found = result.explain(query, model=model, **how)
        *ids, relevance, before, rank, change = found.columns
        names = ["model", *ids, relevance, *([rank] if arguments.baseline is None else [before, rank, change])]
        for row in found.fetchall():
            values = dict(zip(found.columns, row, strict=True))
            bold += [len(rows)] if is_relevant(values[relevance]) else []
            rows.append([model, *(values[name] for name in names[1:])])
    has_query_text, notes = names[1] != item, list[str]()
    if has_query_text and not report.FORMATS[arguments.format].is_long:  # the text of the one query, once
        notes = [] if rows[0][1] is None else [f"query {arguments.query_id}: {report.cut(str(rows[0][1]), 200)}"]
        names, rows = [names[0], *names[2:]], [[row[0], *row[2:]] for row in rows]
    place = names.index(item, 1)  # the column of models may have the same name
    texts = [name for name in names[place + 1 : place + 2] if name != relevance]
    shown = report.Records(names, rows, notes, texts=texts, bold_rows=bold)
    of_items: dict[Any, Any] = {row[place]: row[place + 1] for row in rows} if texts else {}
    return replace(in_format(arguments, shown), below=missing_lines({"item": of_items}))
