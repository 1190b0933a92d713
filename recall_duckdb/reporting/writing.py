"""Writes the report of a result."""

from __future__ import annotations

import os
from pathlib import Path

from recall_duckdb import file_writing
from recall_duckdb.comparison.comparison import compare_result
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.errors import ArgumentError, check_flag
from recall_duckdb.reading.files import check_unchanged, unchanged
from recall_duckdb.reading.sources import refuse_input
from recall_duckdb.reporting.charts import draw_figures, has_charts
from recall_duckdb.reporting.contents import gather_contents, with_trend
from recall_duckdb.reporting.page import page
from recall_duckdb.result_data import ResultData

_MOST_QUERIES = 100


def write_report(
    data: ResultData,
    path: str | os.PathLike[str],
    settings: Settings,
    *,
    history: str | os.PathLike[str] | None,
    queries: int,
    check: bool | None,
    texts: object = None,
) -> list[str]:
    """Write the file of `Result.report`, and return its decision; raises as it does."""
    data.check_values()
    file, target = target_of(path)
    of_texts = texts if isinstance(texts, (list, tuple)) else [texts]
    refuse_input("path", file, target, [*data.question.sources(), history, *of_texts])
    if isinstance(queries, bool) or not isinstance(queries, int) or not 0 <= queries <= _MOST_QUERIES:
        raise ArgumentError(
            f"a whole number from 0 to {_MOST_QUERIES} is expected, not {queries!r}", argument="queries"
        )
    if check is not None:
        check_flag("check", check)
    trend_file = None if history is None else file_writing.path_text(history, "history")
    compared = None if settings.baseline is None else compare_result(data, settings)
    watched = data.plan.inputs.watched
    check_unchanged(watched, data.session)
    with unchanged(watched, data.session):  # the files are read again
        contents = gather_contents(data, settings, compared=compared, queries=queries, check=check, texts=texts)
    if trend_file is not None:
        contents = with_trend(contents, trend_file, [] if os.path.realpath(trend_file) in data.appended else data.means)
    text = page(contents, draw_figures(contents) if has_charts() else None)
    with file_writing.replacing(target, file, "path") as written:
        Path(written).write_text(text, "utf-8", newline="\n")
    judged = [] if contents.judging is None else contents.judging.sentences
    return [*(decision.sentence for decision in contents.decisions), *([" ".join(judged)] if judged else [])]


def target_of(path: str | os.PathLike[str]) -> tuple[str, Path]:
    """Return the path of a report as text, and the file to write; raises `ArgumentError` if it cannot be written."""
    return file_writing.target_ending(path, (".html", ".htm"), "path")
