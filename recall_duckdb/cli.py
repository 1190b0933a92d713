"""The command line: `recall-duckdb evaluate`, `compare`, `report`, `agreement`, `check`, `pool`, `sql` and others."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from recall_duckdb import (
    __version__,
    agreement,
    check,
    checking,
    compare,
    evaluate,
    listings,
    output,
    pool,
    report,
    sql,
)
from recall_duckdb.comparison.gates import Gates, Outcome, try_gates
from recall_duckdb.comparison.settings import CHOICES as HOW
from recall_duckdb.errors import (
    ArgumentError,
    RecallError,
    RecallWarning,
    UnknownNameError,
    message,
    nearest,
    quote,
    spell_with,
)
from recall_duckdb.inputs import sources
from recall_duckdb.macros.installing import macro_file
from recall_duckdb.options import connection_of, named_runs, question_of
from recall_duckdb.parser import (
    Parser,
    add_agreement,
    add_format,
    add_gates,
    add_history,
    add_how,
    add_limits,
    add_question,
    add_report,
    help_of,
)
from recall_duckdb.progress import with_progress
from recall_duckdb.question import (
    OPTIONAL_INPUTS,
    AgreementQuestion,
    CheckQuestion,
    EvaluateQuestion,
    PoolQuestion,
    SqlQuestion,
    argument_docs,
)
from recall_duckdb.question.policies import CHOICES
from recall_duckdb.reporting import history
from recall_duckdb.reporting.plots import NO_CHARTS, has_charts
from recall_duckdb.reporting.writing import target_of
from recall_duckdb.result import Result

_RUNS = "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model"
_EXTENSIONS = {".parquet": "parquet", ".csv": "csv", ".json": "json"}

_HOW = [*HOW, "confidence", "tie_within", "samples", "seed"]
# The options of `compare --values`.
_OF_VALUES = ["run", "values", "query", "by", "item_by", "metric", "baseline", *_HOW]
_OF_VALUES += ["format", "memory_limit", "threads"]


@dataclass(frozen=True)
class Answer:
    """What a command prints, the lines for standard error, what it does after that, and if it found a fault."""

    text: str
    below: Sequence[str] = ()
    has_faults: bool = False
    then: Callable[[], object] | None = None  # what may fail without the loss of the text


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    It is 0 on success, 1 if `check` found a fault or a gate failed, 2 on a mistake in the command or the data, 130 on
    Ctrl-C.
    """
    options: dict[str, str] = {}
    try:
        arguments, unknown = _parser().parse_known_args(argv)
        if unknown:
            arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}{_hint(unknown[0], arguments)}")
        options = _options(arguments)
        for name, value in vars(arguments).items():
            if value == "" or (isinstance(value, list) and "" in value):
                raise ArgumentError("the value is empty: give one, or leave it out", argument=name)
        with spell_with(options), _warnings_as_lines():
            said = arguments.command(arguments)
            answer = said if isinstance(said, Answer) else Answer(said)
            form = report.FORMATS.get(vars(arguments).get("format", ""))
            is_data = arguments.command in (_sql, _macros) or (form is not None and form.is_data)
            output.show(answer.text, is_data=is_data)
            for line in answer.below:
                output.complain(f"recall-duckdb: {line}")
            if answer.then is not None:
                answer.then()
    except RecallError as error:
        option = None if error.argument is None else options.get(error.argument, error.argument)
        output.complain(f"recall-duckdb: {message(error.problem, option, error.fix)}")
        return 2
    except KeyboardInterrupt:
        output.complain("recall-duckdb: interrupted")
        return 130
    return 1 if answer.has_faults else 0


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Write a warning about the data as a line on standard error, without the place in the code."""
    with warnings.catch_warnings():
        before = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, RecallWarning):
                output.complain(f"recall-duckdb: {message}")
            else:
                before(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        warnings.simplefilter("always", RecallWarning)
        yield


def _options(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the option for each Python argument; a policy that `check` lacks is an option of `evaluate`."""
    names = vars(arguments).keys() - {"command", "made", "parser", "run"}
    own = {name: f"--{name.replace('_', '-')}" for name in names} | ({"made": "--as"} if "made" in arguments else {})
    if "append" in arguments:
        own |= {"path": "--output", "history": "--history" if arguments.append is None else "--append"}
    policies = {name: f"evaluate --{name.replace('_', '-')}" for name in CHOICES}
    return {**policies, "metrics": "--metric", "view": "--as view", "table": "--as table", **own}


def _hint(argument: str, arguments: argparse.Namespace) -> str:
    """Return a hint at what an unknown argument may have meant."""
    option, options = argument.partition("=")[0], _options(arguments)
    if option.startswith("-k") and "metric" in arguments:
        return ". A cutoff is part of a metric, as in -m recall@5"
    if "run" in arguments and (option == "--run" or not option.startswith("-")):
        return ". Pass runs without an option, one after the other"
    if options.get(option.strip("-").replace("-", "_")) == f"evaluate {option}":
        return f". {option} is an option of evaluate"
    near = nearest(option, [word for word in options.values() if " " not in word])
    return f".{near}" if near else ""


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="recall-duckdb",
        description="How good is my ranking? Recall@k and its family, computed by DuckDB on your files.",
    )
    parser.add_argument("--version", action="version", version=f"recall-duckdb {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    evaluated = commands.add_parser("evaluate", help="evaluate runs and print the means")
    add_question(evaluated, EvaluateQuestion, _RUNS)
    add_format(evaluated, report.TREC)
    evaluated.add_argument(
        "-q", "--each-query", action="store_true", help="with --format trec: the values of each query too"
    )
    evaluated.add_argument(
        "--intervals", action="store_true", help="print the interval, standard error and quantiles of each mean"
    )
    evaluated.add_argument(
        "--per-query", metavar="FILE", help="also write the values of each query to a .parquet, .csv or .json file"
    )
    add_history(evaluated)
    add_gates(evaluated)
    add_limits(evaluated)
    evaluated.set_defaults(command=_evaluate, parser=evaluated)

    compared = commands.add_parser("compare", help="compare runs with a baseline, query by query")
    add_question(compared, EvaluateQuestion, _RUNS)
    add_how(compared)
    compared.add_argument(
        "--values",
        action="store_true",
        help="the files hold values of queries, as --per-query writes them; metrics are their columns",
    )
    add_format(compared)
    add_limits(compared)
    compared.set_defaults(command=_compare, parser=compared)

    reported = commands.add_parser("report", help="write a report as one HTML file, with charts")
    add_question(reported, EvaluateQuestion, _RUNS)
    add_report(reported)
    reported.set_defaults(command=_report, parser=reported)
    _add_agreement(commands)

    written = commands.add_parser("sql", help="print the statement instead of running it")
    add_question(written, SqlQuestion, "a path, or the name of a table as the dialect writes it")
    written.add_argument("--dialect", default="duckdb", metavar="D", help="the SQL dialect, as listed by `dialects`")
    written.add_argument("--per-query", action="store_true", help="the values of each query instead of the means")
    written.add_argument("--pool", action="store_true", help=help_of(argument_docs(SqlQuestion)["pool"]))
    written.add_argument(
        "--as",
        dest="made",
        nargs="+",
        default=["select"],
        metavar=("KIND", "NAME"),
        help="view NAME or table NAME, to create a view or table; select (the default), for the SELECT alone",
    )
    written.set_defaults(command=_sql, parser=written)

    checked = commands.add_parser("check", help="find faults in run and qrels; the exit status is 1 if there are any")
    add_question(checked, CheckQuestion, _RUNS)
    add_format(checked)
    checked.add_argument("--skip", action="append", metavar="CHECK", help="leave this check out; repeatable")
    add_limits(checked)
    checked.set_defaults(command=_check, parser=checked)

    pooled = commands.add_parser("pool", help="list the unjudged items that the metrics read, to judge next")
    add_question(pooled, PoolQuestion, _RUNS)
    add_format(pooled, default="csv")
    add_limits(pooled)
    pooled.set_defaults(command=_pool, parser=pooled)

    _add_listings(commands)
    return parser


def _add_listings(commands: Any) -> None:
    printed = commands.add_parser("macros", help="print the SQL file that adds the metrics to DuckDB as macros")
    printed.set_defaults(command=_macros, parser=printed)

    tried = commands.add_parser("dialects", help="list the dialects that sql writes, and how each was tested")
    add_format(tried)
    tried.set_defaults(command=_dialects, parser=tried)

    described = commands.add_parser(
        "metrics", help="list every metric: its definition, options, other names and source"
    )
    described.add_argument("--metric-folder", action="append", metavar="DIR", help="a folder of your own metric files")
    described.set_defaults(command=_metrics, parser=described)


def _add_agreement(commands: Any) -> None:
    agreed = commands.add_parser("agreement", help="compare lists with those of a baseline, without judgements")
    add_question(agreed, AgreementQuestion, _RUNS)
    add_agreement(agreed)
    agreed.add_argument("--each-query", action="store_true", help="print each query, the largest change first")
    add_format(agreed)
    add_limits(agreed)
    agreed.set_defaults(command=_agreement, parser=agreed)


def _check(arguments: argparse.Namespace) -> Answer:
    connection, question = connection_of(arguments), question_of(arguments, CheckQuestion)
    faults = with_progress(connection, lambda: check(**question, connection=connection))
    shown = checking.ShownFaults(faults, wide=report.FORMATS[arguments.format].wraps)
    return Answer(_written(arguments, shown), has_faults=not faults.clean)


def _pool(arguments: argparse.Namespace) -> str:
    connection, question = connection_of(arguments), question_of(arguments, PoolQuestion)
    found = with_progress(connection, lambda: pool(**question, connection=connection))
    return _written(arguments, report.Records(found.columns, found.fetchall()))


def _written(arguments: argparse.Namespace, shown: report.Rows) -> str:
    """Return a table in the format of the command."""
    return report.FORMATS[arguments.format].write(shown)


def _evaluate(arguments: argparse.Namespace) -> Answer:
    connection, file, append = connection_of(arguments), arguments.per_query, _append(arguments)
    named = {name: value for name in Gates.__dataclass_fields__ if (value := getattr(arguments, name)) is not None}
    gates = Gates(**named)
    extension = _EXTENSIONS.get(Path(file).suffix) if file else None
    if file and extension is None:
        raise UnknownNameError(f"{quote(file)} must end in one of {', '.join(_EXTENSIONS)}", argument="--per-query")
    target = output.target(file, "per_query") if file else None
    if target:
        sources.refuse_input("per_query", file, target, _inputs(arguments))
    added = arguments.append and history.target_of(arguments.append)[1]
    if target and target == added:
        raise ArgumentError(
            f"both name {quote(file)}", argument="--append, --per-query", fix="Choose another path for one of them"
        )
    if arguments.intervals and arguments.format == report.TREC:
        raise ArgumentError("trec_eval's format has none", argument="--intervals", fix="Choose another --format")
    if arguments.each_query and arguments.format != report.TREC:
        raise ArgumentError(
            "needs --format trec; for a file of values, pass --per-query FILE", argument="-q, --each-query"
        )
    question = question_of(arguments, EvaluateQuestion)

    def work() -> tuple[Result, Outcome, str]:
        result = evaluate(**question, connection=connection)
        outcome = try_gates(gates, result.data)
        if arguments.format == report.TREC:
            return result, outcome, result.to_trec(each_query=arguments.each_query)
        return result, outcome, _written(arguments, (result.intervals() if arguments.intervals else result).shown)

    result, outcome, text = with_progress(connection, work)
    # A failed gate keeps its baseline. Otherwise the next try would pass.
    is_kept = (
        bool(outcome.failed) and gates.not_below is not None and target == output.target(gates.not_below, "not_below")
    )
    if is_kept:
        outcome.warnings.append(f"{file} was not replaced, because a gate failed")

    def write() -> None:
        if target and extension and not is_kept:
            with output.replacing(target, file, "per_query") as written:
                result.write_per_query(written, extension)
        append(result)  # also if a gate failed

    lines = [f"warning: {line}" for line in outcome.warnings] + [f"gate failed: {line}" for line in outcome.failed]
    return Answer(text, lines, bool(outcome.failed), lambda: with_progress(connection, write))


def _report(arguments: argparse.Namespace) -> Answer:
    connection, how, append = connection_of(arguments), _how(arguments), _append(arguments)
    if arguments.append is not None and arguments.history is not None:
        raise ArgumentError("Pass either --append or --history, not both: --append draws the trend too")
    sources.refuse_input("path", *target_of(arguments.output), [*_inputs(arguments), arguments.history])
    more = {name: value for name in ("baseline", "queries") if (value := getattr(arguments, name)) is not None}

    def work() -> list[str]:
        result = evaluate(**question_of(arguments, EvaluateQuestion), connection=connection)
        append(result)  # an error leaves the report as it was
        drawn = arguments.append or arguments.history
        return result.report(arguments.output, check=arguments.check, history=drawn, **more, **how)

    said = with_progress(connection, work)
    return Answer("\n".join(said), [] if has_charts() else [f"warning: {NO_CHARTS}"])


def _append(arguments: argparse.Namespace) -> Callable[[Result], object]:
    """Return what adds the means of a result to the history of the command, if it names one that can be written."""
    if arguments.append is not None:
        sources.refuse_input("history", *history.target_of(arguments.append), _inputs(arguments))
        history.check(arguments.append)
        return lambda result: result.append(arguments.append, run_id=arguments.run_id)
    if arguments.run_id is not None:
        raise ArgumentError("there is no history to add the run to", argument="--run-id", fix="Pass --append too")
    return lambda _: None


def _inputs(arguments: argparse.Namespace) -> list[object]:
    """Return the paths that a command reads."""
    optional = (getattr(arguments, name) for name in OPTIONAL_INPUTS)
    return [*named_runs(arguments.run).values(), arguments.qrels, *optional]


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a comparison that were given."""
    return {name: value for name in _HOW if (value := getattr(arguments, name)) is not None}


def _compare(arguments: argparse.Namespace) -> str:
    connection, how = connection_of(arguments), _how(arguments)
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    files = named_runs(arguments.run)

    def work() -> str:
        if arguments.values:
            if len(files) < 2:
                raise ArgumentError(
                    "two files are expected at least, that of the baseline and another one", argument="run"
                )
            for name in arguments.parser.given_arguments(arguments):
                if name not in _OF_VALUES:
                    raise ArgumentError("it has no effect with --values, because nothing is evaluated", argument=name)
            own: dict[str, Any] = {name: given[name] for name in ("query", "by", "item_by") if name in given}
            own["metrics"] = given.get("metric")
            found = compare(files, baseline=arguments.baseline, **own, **how, connection=connection)
        else:
            result = evaluate(**question_of(arguments, EvaluateQuestion), connection=connection)
            found = result.compare(arguments.baseline, **how)
        return _written(arguments, found.shown)

    return with_progress(connection, work)


def _agreement(arguments: argparse.Namespace) -> str:
    connection, question = connection_of(arguments), question_of(arguments, AgreementQuestion)
    found = with_progress(connection, lambda: agreement(**question, connection=connection))
    if not arguments.each_query:
        return _written(arguments, found.shown)
    queries = found.per_query()
    return _written(arguments, report.Records(queries.columns, queries.fetchall()))


def _sql(arguments: argparse.Namespace) -> str:
    kind, *names = arguments.made
    if kind in ("view", "table") and not names:
        raise ArgumentError(f"--as {kind} needs the name of the {kind}, as in --as {kind} recall")
    if kind not in ("view", "table", "select") or len(names) != (kind != "select"):
        raise ArgumentError(
            f"view NAME, table NAME or select is expected, not {quote(' '.join(arguments.made))}", argument="--as"
        )
    made = {kind: names[0]} if names else {}
    return sql(**question_of(arguments, SqlQuestion), **made)


def _macros(_: argparse.Namespace) -> str:
    return macro_file().removesuffix("\n")


def _dialects(arguments: argparse.Namespace) -> str:
    return _written(arguments, listings.dialects_with_evidence())


def _metrics(arguments: argparse.Namespace) -> str:
    return listings.metrics_with_options(arguments.metric_folder)
