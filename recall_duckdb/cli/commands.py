"""The commands: each returns what it prints, and what it does after that."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from recall_duckdb import api, checking, dialects, file_writing, report
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser, complain, say
from recall_duckdb.comparison.comparison import Comparison, Leaderboard
from recall_duckdb.comparison.files import compare
from recall_duckdb.comparison.gates import Gates, Outcome, try_gates
from recall_duckdb.definitions import reading
from recall_duckdb.definitions.templates import Template
from recall_duckdb.errors import (
    ArgumentError,
    RecallError,
    RecallWarning,
    UnknownNameError,
    first_line,
    quote,
    spell_with,
)
from recall_duckdb.macros.installing import macro_file
from recall_duckdb.question import OPTIONAL_INPUTS, metrics
from recall_duckdb.question.policies import CHOICES
from recall_duckdb.question.spellings import spellings
from recall_duckdb.reading import sources
from recall_duckdb.reading.columns import apart_from
from recall_duckdb.reading.tables import is_query
from recall_duckdb.reporting import history
from recall_duckdb.reporting.charts import NO_CHARTS, has_charts
from recall_duckdb.result import Result
from recall_duckdb.texts import missing_lines

_VALUES = (".parquet", ".csv", ".json")  # of files of values
# What `compare --values` takes.
_OF_VALUES = ["command", "run", "values", "query", "by", "slices", "item_by", "metric", "baseline", "format"]
_OF_VALUES += [*options.SETTINGS, "database", "memory_limit", "threads"]
_NEEDS_BASELINE = ("by", "slices", "item_by", "interval")  # of `compare`
_MOST_LETTERS = 100  # of a line about a metric
_FILMS = "{at}/popular.parquet {at}/personal.parquet --qrels {at}/watched.parquet --query user_id --item film_id"
_ASKED = f"{_FILMS} -m ndcg@10 recall@10 --baseline popular"
_DEMO = f"""\
{{at}} holds a film service: the lists of two recommenders for 400 users, and what the users watched next.

Which is better, the popular films or a personal list, and how sure is that?
  {{program}} compare {_ASKED}
For whom is it worse?
  {{program}} compare {_ASKED} --by segment
Both on one page:
  {{program}} report {_ASKED} --by segment --texts {{at}}/films.parquet -o report.html"""


@dataclass(frozen=True)
class Answer:
    """What a command prints, the lines for standard error, what it does after that, and if it found a fault."""

    text: str
    below: Sequence[str] = ()
    has_faults: bool = False
    then: Callable[[], object] | None = None  # what may fail without the loss of the text
    is_data: bool = False  # True for programs: names stay as they are, with control characters
    decision: Sequence[str] = ()  # the lines of a report's decision, which are part of the text

    def show(self) -> int:
        """Print the answer; returns the exit status. Raises `ArgumentError` as `say` does.

        Control characters are escaped, since names may come from files of others. Data, which are CSV and SQL, hold
        names unchanged, for programs, except on a terminal.
        """
        say(self.text if self.is_data and report.terminal_width() is None else report.printable(self.text, keep="\n\t"))
        for line in self.below:
            complain(line)
        if self.then is not None:
            self.then()
        return 1 if self.has_faults else 0


def run(command: str, parser: Parser, words: Sequence[str]) -> int:
    """Run a command; returns its exit status, as `main` does. Raises `RecallError`, which names options."""
    arguments = options.parse_words(command, parser, words)
    arguments.command = command
    spelled = options.spellings(parser)
    # A policy that `check` lacks is an option of `evaluate`.
    spelled = {**{name: f"evaluate --{name.replace('_', '-')}" for name in CHOICES}, **spelled}
    if "append" in arguments:
        spelled |= {"path": "--output", "history": "--history" if arguments.append is None else "--append"}
    try:
        for name, value in vars(arguments).items():
            if value == "" or (isinstance(value, list) and "" in value):
                raise ArgumentError("the value is empty: give one, or leave it out", argument=name)
        with spell_with(spelled), _warnings_as_lines():
            return _COMMANDS[command](arguments).show()
    except RecallError as error:
        option = ", ".join(spelled.get(name, name) for name in (error.argument or "").split(", "))
        raise RecallError(error.problem, argument=option, fix=error.fix) from error


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Write a warning about the data as a line on standard error, without the place in the code."""
    with warnings.catch_warnings():
        before = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, RecallWarning):
                complain(str(message))
            else:
                before(message, category, *place, **more)

        warnings.showwarning = show
        warnings.simplefilter("default", RecallWarning)  # once, though several models are explained
        yield


def _in_format(arguments: argparse.Namespace, shown: report.Table) -> Answer:
    return Answer(report.FORMATS[arguments.format](shown), is_data=arguments.format == "csv")


def _evaluate(arguments: argparse.Namespace) -> Answer:
    is_trec = arguments.format == report.TREC
    if arguments.intervals and is_trec:
        raise ArgumentError("trec_eval's format has none", argument="--intervals", fix="Choose another --format")
    if arguments.interval is not None and not arguments.intervals:
        raise ArgumentError("there is no interval to find", argument="--interval", fix="Pass --intervals too")
    if arguments.each_query and not is_trec:
        problem = "needs --format trec; for a file of values, pass --per-query FILE"
        raise ArgumentError(problem, argument="-q, --each-query")

    def show(result: Result) -> Answer:
        if is_trec:
            return Answer(result.to_trec(each_query=arguments.each_query))
        if not arguments.intervals:
            return _in_format(arguments, result.shown)
        intervals = result.intervals(interval=arguments.interval or "auto").shown
        return _in_format(arguments, replace(intervals, read_as=result.read_as))

    return _gated(arguments, show)


def _compare(arguments: argparse.Namespace) -> Answer:
    """Compare runs, or files of values of queries, with a baseline; without one, every two of them."""
    how, baseline = options.given(arguments, options.SETTINGS), arguments.baseline
    for name in arguments.parser.given_arguments(arguments):
        if baseline is None and name in _NEEDS_BASELINE:
            fix = f"Pass --baseline too, or leave out --{name.replace('_', '-')}"
            problem = "a leaderboard is over all queries and items, without intervals of differences"
            raise ArgumentError(problem, argument=name, fix=fix)
        if arguments.values and name not in _OF_VALUES:
            raise ArgumentError("it has no effect with --values, because nothing is evaluated", argument=name)
    if baseline is None:
        del how["interval"]

    def of_result(result: Result) -> Answer:
        if baseline is None and len(result.counts) < 2:
            fix = "Pass several runs, as in compare old.parquet new.parquet"
            raise ArgumentError("there is one model, so there is nothing to compare", argument="run", fix=fix)
        return answer(result.leaderboard(**how) if baseline is None else result.compare(baseline, **how), result)

    def answer(table: Comparison | Leaderboard, result: Result | None = None) -> Answer:
        shown, below = table.shown, list[str]()
        if result is not None:
            shown = replace(shown, notes=[*shown.notes, *result.notes], read_as=result.read_as)
        if isinstance(table, Leaderboard) and len(table.models) == 2:
            below = [f"--baseline {shlex.quote(str(table.models[-1]))} shows the difference, with its interval and p"]
        return replace(_in_format(arguments, shown), below=below)

    if not arguments.values:
        return _gated(arguments, of_result)
    files, connection = options.named_runs(arguments.run), options.connection_of(arguments)
    columns = options.given(arguments, ("query", "by", "slices", "item_by"))
    compared = compare(files, **columns, metrics=arguments.metric, baseline=baseline, **how, connection=connection)
    return answer(compared.leaderboard() if baseline is None else compared)


def _report(arguments: argparse.Namespace) -> Answer:
    if arguments.append is not None and arguments.history is not None:
        raise ArgumentError("Pass either --append or --history, not both: --append draws the trend too")
    more = options.given(arguments, ("baseline", "queries", "texts", "check", *options.SETTINGS))

    def write(result: Result) -> Answer:
        if arguments.append is not None:  # an error leaves the report as it was
            result.append(arguments.append, run_id=arguments.run_id)
        lines = result.report(arguments.output, history=arguments.append or arguments.history, **more)
        charts = [] if has_charts() else [f"warning: {NO_CHARTS}"]
        text = "\n".join([*lines, *result.notes, *result.read_as])
        return Answer(text, [f"wrote {arguments.output}", *charts], decision=lines)

    return _gated(arguments, write)


def _gated(arguments: argparse.Namespace, show: Callable[[Result], Answer]) -> Answer:
    """Evaluate, show the result, try the gates, and write the files that were asked for."""
    connection, question, files = options.connection_of(arguments), options.question_of(arguments), _targets(arguments)
    gates = Gates(**options.given(arguments, Gates.__dataclass_fields__))
    if "junit" in files and gates.not_below is None and not gates.at_least:
        raise ArgumentError("there is no gate", argument="junit", fix="Pass --at-least or --not-below too")
    if "junit" in files:  # a build must not read those of an earlier run if this one fails
        files["junit"].unlink(missing_ok=True)

    result = api.evaluate(**question, connection=connection)
    outcome = result.data.gates = try_gates(gates, result.data)
    answer = show(result)
    # A failed gate keeps its baseline. Otherwise the next try would pass.
    is_baseline = files.get("per_query", "") == files.get("not_below")
    if outcome.has_failed and is_baseline and gates.not_below not in result.counts:
        outcome.warnings.append(f"{arguments.per_query} was not replaced, because a gate failed")
        del files["per_query"]
    kinds = ("warning", "gate passed", "gate failed")
    verdict = [f"{kind}: {line}" for kind in kinds for line in outcome.lines[kind]]
    return replace(
        answer,
        below=[*answer.below, *verdict],
        has_faults=outcome.has_failed,
        then=lambda: _write(arguments, files, result, replace(outcome, decision=answer.decision)),
    )


def _targets(arguments: argparse.Namespace) -> dict[str, Path]:
    """Return the files to write, by the option that names them.

    Raises:
        ArgumentError: one cannot be written, is an input or the baseline of a gate, or is named twice.
    """
    files: dict[str, Path] = {}
    for name, path in options.given(arguments, ("per_query", "append", "junit", "summary", "output")).items():
        argument = {"append": "history", "output": "path"}.get(name, name)
        if name == "append":
            _, files[name] = history.target_of(path)
        elif name in ("per_query", "output"):
            endings = _VALUES if name == "per_query" else (".html", ".htm")
            _, files[name] = file_writing.target_ending(path, endings, argument)
        else:
            files[name] = file_writing.target(path, name)
        sources.refuse_input(argument, path, files[name], options.input_paths(arguments))
    if "append" in files:
        history.check(arguments.append)
    elif getattr(arguments, "run_id", None) is not None:
        raise ArgumentError("there is no history to add the run to", argument="--run-id", fix="Pass --append too")
    if files and arguments.not_below and not is_query(arguments.not_below) and Path(arguments.not_below).exists():
        files["not_below"] = file_writing.target(arguments.not_below, "not_below")
    first: dict[Path, str] = {}
    for name, path in files.items():
        other = first.setdefault(path, option := f"--{name.replace('_', '-')}")
        if other != option and {option, other} != {"--per-query", "--not-below"}:  # values may replace their baseline
            problem, fix = f"both name {quote(path.name)}", "Choose another path for one of them"
            raise ArgumentError(problem, argument=", ".join(sorted([other, option])), fix=fix)
    return files


def _write(arguments: argparse.Namespace, files: Mapping[str, Path], result: Result, outcome: Outcome) -> None:
    """Write the files of a result; the means are added to a history also if a gate failed."""
    for name in [name for name in ("per_query", "junit", "summary") if name in files]:
        path = files[name]
        before = path.read_text("utf-8") if name == "summary" and path.exists() else ""  # of other steps of a build
        with file_writing.replacing(path, getattr(arguments, name), name) as written:
            if name == "per_query":
                result.write_per_query(written, Path(arguments.per_query).suffix[1:])
                continue
            text = outcome.to_junit()
            if name == "summary":
                text = f"{before}{outcome.to_markdown()}\n\n{result.to_markdown()}\n"
            Path(written).write_text(f"{text}\n", "utf-8", newline="\n")
    if "append" in files and arguments.command != "report":
        result.append(arguments.append, run_id=arguments.run_id)


def _agreement(arguments: argparse.Namespace) -> Answer:
    result = options.ask(arguments, api.agreement)
    queries = result.per_query() if arguments.each_query else None
    shown = result.shown if queries is None else report.Table(queries.columns, queries.fetchall())
    return _in_format(arguments, shown)


def _check(arguments: argparse.Namespace) -> Answer:
    faults, form = options.ask(arguments, api.check), arguments.format
    answer = _in_format(arguments, checking.faults_table(faults, wide=form in ("markdown", "html")))
    # Formats for programs have rows alone, and none without a fault.
    return replace(answer, below=faults.read_as if form in report.PROGRAMS else [], has_faults=not faults.clean)


def _pool(arguments: argparse.Namespace) -> Answer:
    items = options.ask(arguments, api.pool)
    rows, count = items.fetchall(), len(arguments.query or ["query"])
    place = items.columns.index(arguments.item or "item", count)
    columns = {"query": place - 1} if place > count else {}
    if len(items.columns) > place + 3:  # best_rank and models are the last two
        columns["item"] = place + 1
    ids = {"query": slice(count), "item": slice(place, place + 1)}
    texts = {key: {row[ids[key]]: row[column] for row in rows} for key, column in columns.items()}
    shown = report.Table(items.columns, rows, numbers=2, texts=[items.columns[each] for each in columns.values()])
    return replace(_in_format(arguments, shown), below=missing_lines(texts))


def _explain(arguments: argparse.Namespace) -> Answer:
    query = tuple(arguments.query_id.split(",")) if len(arguments.query or ()) > 1 else arguments.query_id
    try:
        return options.ask(arguments, lambda **question: _explained(api.evaluate(**question), query, arguments))
    except UnknownNameError as error:
        is_file = Path(arguments.query_id).is_file()
        if not is_file and error.argument != "query":
            raise
        problem = f"{quote(arguments.query_id)} is a file" if is_file else error.problem
        fix = "The first argument is the query, as in explain q1 run.parquet" if is_file else error.fix
        raise UnknownNameError(problem, argument="QUERY", fix=fix) from error


def _explained(result: Result, query: object, arguments: argparse.Namespace) -> Answer:
    """Return the items of the query with their texts, if there are any; for readers, the relevant ones come first."""
    is_long, rows = arguments.format in report.PROGRAMS, list[dict[str, Any]]()
    baseline = None if arguments.baseline is None else result.data.model(arguments.baseline, "baseline")
    for model in [name for name in result.counts if name != baseline] or [baseline]:
        items = result.explain(query, baseline=baseline, model=model, k=arguments.k, texts=arguments.texts)
        names = [*items.columns, *apart_from(items.columns, ["model"])]
        rows += [dict(zip(names, (*row, model), strict=True)) for row in items.fetchall()]
    *ids, relevance, before, rank, change, is_relevant, model_name = names
    place, notes = ids.index(result.data.plan.inputs.user_names["item"]), list[str]()
    if place and not is_long:  # the text of the one query, once
        text = rows[0][ids[0]]
        notes = [] if text is None else [f"query {arguments.query_id}: {report.cut(text, 200)}"]
        ids, place = ids[1:], 0
    item, *item_texts = ids[place:]
    shown, bold = [model_name, *ids, relevance, *([rank] if baseline is None else [before, rank, change])], set()
    if is_long:
        shown.append(is_relevant)
    else:
        for number, row in enumerate(rows):
            if row[is_relevant]:
                row[relevance] = f"{row[relevance]} ✓"
                bold |= {(number, column) for column, name in enumerate(shown) if row[name] is not None}
    body, numbers = [[row[name] for name in shown] for row in rows], shown[shown.index(relevance) :]
    table = report.Table(shown, body, notes, len(numbers), bold=bold, texts=item_texts)
    of_items = {row[item]: row[text] for row in rows for text in item_texts}
    return replace(_in_format(arguments, table), below=missing_lines({"item": of_items}))


def _sql(arguments: argparse.Namespace) -> Answer:
    text = api.sql(**options.question_of(arguments))
    return Answer(f"{text};" if arguments.name else text, is_data=True)  # a SELECT alone may become part of a statement


def _dialects(arguments: argparse.Namespace) -> Answer:
    rows = [[name, dialects.evidence(name)] for name in dialects.DIALECTS]
    return _in_format(arguments, report.Table(["dialect", "evidence"], rows))


def _metrics(arguments: argparse.Namespace) -> Answer:
    catalog = metrics.catalog(arguments.metric_folder)
    names: list[str] = []
    for text in arguments.name:
        found = metrics.parse(text, arguments.metric_folder) if text not in catalog else ()
        names += [metric.template.name for metric in found] or [text]
    aliases = ", ".join(f"{theirs}= means {ours}=" for theirs, ours in metrics.OPTION_ALIASES.items())
    described = [_describe(name, catalog[name]) for name in dict.fromkeys(names or catalog)]
    last = f"In other names, x is a number; {aliases}."
    return Answer("\n\n".join([*described, report.wrap(last, report.terminal_width())]))


def _describe(name: str, template: Template) -> str:
    """Return the description of a metric: definition, options, other names."""
    aliases = {ours: theirs for theirs, ours in metrics.OPTION_ALIASES.items()}
    others = [each.show(aliases) for each in spellings(template, "Trec", "Also") if each.name != name]
    needed = [f"--{each}" for each in sorted(reading.inputs_of(template)) if each in OPTIONAL_INPUTS]
    lines = {
        "": template.definition,
        "options": "; ".join(map(str, metrics.options(template).values())),
        "also": ", ".join(others),
        "needs": ", ".join(needed),
        "edges": template.head.get("Edges", ""),
        "source": template.head.get("Source", "not given"),
    }
    width = min(report.terminal_width() or _MOST_LETTERS, _MOST_LETTERS)
    wrapped = [
        textwrap.fill(f"{label}: {text}" if label else text, width, initial_indent="  ", subsequent_indent="    ")
        for label, text in lines.items()
        if text
    ]
    return "\n".join([f"{name}@k" if "k" in template.parameters else name, *wrapped])


def _demo(arguments: argparse.Namespace) -> Answer:
    """Write the files of a small film service, and print commands that read them."""
    folder, script = Path(arguments.folder), Path(__file__).with_name("demo.sql").read_text("utf-8")
    try:
        with TemporaryDirectory() as made, duckdb.connect() as connection:
            connection.execute(script.replace("'demo/", "'" + made.replace("'", "''") + "/"))
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.iterdir()):
                if not _is_same(path, Path(made, path.name), connection):
                    fix = "Delete it, or name a new folder, as in recall-duckdb demo films"
                    raise ArgumentError(f"{quote(str(path))} is not a file of the demo", argument="FOLDER", fix=fix)
            for written in Path(made).iterdir():
                shutil.copyfile(written, folder / written.name)
    except (OSError, duckdb.Error) as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise ArgumentError(f"cannot write {quote(arguments.folder)}: {reason}", argument="FOLDER") from error
    program = ["recall-duckdb"] if shutil.which("recall-duckdb") else [sys.executable, "-m", "recall_duckdb"]
    return Answer(_DEMO.format(program=shlex.join(program), at=shlex.quote(folder.as_posix())))


def _is_same(path: Path, made: Path, connection: duckdb.DuckDBPyConnection) -> bool:
    """Return True if a file holds what a file of the demo does; another version of DuckDB may write other bytes."""
    if not made.is_file() or path.suffix != ".parquet":
        return made.is_file() and path.read_bytes() == made.read_bytes()
    try:
        rows = [connection.read_parquet(str(each)).fetchall() for each in (path, made)]
    except duckdb.Error:
        return False
    return rows[0] == rows[1]


_COMMANDS: dict[str, Callable[[argparse.Namespace], Answer]] = {
    **{"demo": _demo, "evaluate": _evaluate, "compare": _compare, "report": _report, "agreement": _agreement},
    **{"metrics": _metrics, "check": _check, "explain": _explain, "pool": _pool, "sql": _sql, "dialects": _dialects},
    "macros": lambda _: Answer(macro_file().removesuffix("\n"), is_data=True),
}
