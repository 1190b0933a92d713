"""The command `pool`: lists the items to judge next."""

from __future__ import annotations

import argparse
from dataclasses import replace

from recall_duckdb import pool, report
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.question import PoolQuestion
from recall_duckdb.texts import missing_lines


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, PoolQuestion)
    options.add_texts(parser)
    options.add_format(parser, default="csv")


def run(arguments: argparse.Namespace) -> Answer:
    """List the items to judge."""
    items = options.ask(arguments, PoolQuestion, pool)
    rows, count = items.fetchall(), len(arguments.query or ["query"])
    place = items.columns.index(arguments.item or "item", count)
    columns = {"query": place - 1} if place > count else {}
    if len(items.columns) > place + 3:  # best_rank and models are the last two
        columns["item"] = place + 1
    ids = {"query": slice(count), "item": slice(place, place + 1)}
    texts = {key: {row[ids[key]]: row[column] for row in rows} for key, column in columns.items()}
    shown = report.Records(items.columns, rows, texts=[items.columns[column] for column in columns.values()])
    return replace(in_format(arguments, shown), below=missing_lines(texts))
