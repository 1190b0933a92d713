"""The command `explain`: shows the list of one query item by item."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from recall_duckdb import evaluate, report
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.errors import UnknownNameError, quote
from recall_duckdb.evaluation import explain_query
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.reading.columns import apart_from
from recall_duckdb.result import Result
from recall_duckdb.texts import missing_lines, rows_with_texts


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("query_id", metavar="QUERY", help="a query; a,b if two columns identify it")
    options.add_question(parser, EvaluateQuestion)
    parser.add_argument("--baseline", metavar="MODEL", help="the model to compare the lists of the others with")
    parser.add_argument(
        "-k", type=int, metavar="K", help="how many items of a list count (default: the largest cutoff of the metrics)"
    )
    options.add_texts(parser)
    options.add_format(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Show the items of the query in the list of each model."""
    query = tuple(arguments.query_id.split(",")) if len(arguments.query or ()) > 1 else arguments.query_id
    try:
        return options.ask(
            arguments, EvaluateQuestion, lambda **question: _explain(evaluate(**question), query, arguments)
        )
    except UnknownNameError as error:
        problem, fix = error.problem, error.fix
        if Path(arguments.query_id).is_file():
            problem = f"{quote(arguments.query_id)} is a file"
            fix = "The first argument is the query, as in explain q1 run.parquet"
        elif error.argument != "query":
            raise
        raise UnknownNameError(problem, argument="QUERY", fix=fix) from error


def _explain(result: Result, query: object, arguments: argparse.Namespace) -> Answer:
    """Return the items of the query, the relevant ones in bold, with their texts if there are any."""
    data, texts = result.data, arguments.texts
    baseline = None if arguments.baseline is None else data.model(arguments.baseline, "baseline")
    watched, names, found = data.plan.inputs.watched, list[str](), list[tuple[Any, ...]]()
    for model in [name for name in data.counts if name != baseline] or [baseline]:
        items = explain_query(
            data.question, query, baseline, model, arguments.k, watched, query_columns=texts is not None
        )
        names = [*items.columns, *apart_from(items.columns, ["model"])]
        found += [(*row, model) for row in items.fetchall()]
    if texts is not None:
        names, found = rows_with_texts(names, found, data.question, texts, shows_query=False)
    rows = [dict(zip(names, row, strict=True)) for row in found]
    *ids, relevance, before, rank, change, model_name = names
    place, notes = ids.index(data.plan.inputs.user_names["item"]), list[str]()
    if place and not report.FORMATS[arguments.format].is_long:  # the text of the one query, once
        text = rows[0][ids[0]]
        notes = [] if text is None else [f"query {arguments.query_id}: {report.cut(text, 200)}"]
        ids, place = ids[1:], 0
    item, *item_texts = ids[place:]
    shown = [model_name, *ids, relevance, *([rank] if baseline is None else [before, rank, change])]
    is_relevant = data.question.policies.is_relevant
    records = report.Records(
        shown,
        [[row[name] for name in shown] for row in rows],
        notes,
        texts=item_texts,
        bold_rows=[number for number, row in enumerate(rows) if is_relevant(row[relevance])],
    )
    of_items = {row[item]: row[text] for row in rows for text in item_texts}
    return replace(in_format(arguments, records), below=missing_lines({"item": of_items}))
