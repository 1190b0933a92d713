"""Finds the sources of a question: the runs, the qrels and the optional inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Number

from recall_duckdb import advice
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, is_sound, quote, spell
from recall_duckdb.question import OPTIONAL_INPUTS, Names, Question
from recall_duckdb.reading import shapes, sources
from recall_duckdb.reading.nested import with_fields, with_rows
from recall_duckdb.reading.parallel import Lists
from recall_duckdb.reading.shapes.positions import check_positions
from recall_duckdb.reading.source import Source
from recall_duckdb.reading.usual_names import aliases_of


@dataclass(frozen=True)
class Sources:
    """The sources of a question.

    Attributes:
        runs: the runs by model name, which is None for a run without a name.
        qrels: the qrels, in several parts if they are files of different formats; empty if there are none.
        optional: the optional inputs by the names of their arguments.
    """

    runs: Mapping[str | None, Source]
    qrels: Sequence[Source]
    optional: Mapping[str, Source]

    @property
    def all(self) -> list[Source]:
        """Every source, in a fixed order."""
        return [*self.runs.values(), *self.qrels, *self.optional.values()]


def find(data: Question, session: Session, *, must_exist: bool = True) -> Sources:
    """Find the sources that the user named or gave."""
    names = data.names
    runs: dict[str | None, Source] = {}
    of_qrels = [*names.qrels_query, names.qrels_item, names.relevance, *names.qrels_by]
    columns = [*names.query, names.item, *names.scores, data.rank, data.model, *names.by, *names.item_by, *of_qrels]
    wanted = frozenset(filter(None, columns))
    of_run = data.file_columns.get("columns", [])
    of_others = data.file_columns.get("qrels_columns", of_run)

    def find_source(value: object, side: str, role: str, of_file: Sequence[str] = of_others) -> Source:
        source = sources.find(value, session, side, role, must_exist=must_exist, file_columns=of_file, names=wanted)
        return with_fields(source, wanted, session, side)

    run_values = _runs(data, names)
    if data.qrels is data.run and data.qrels_item is not None and None not in run_values:
        raise ArgumentError(
            f"for several models, pass the judged items as {spell('qrels')}, the same for all", argument="run"
        )
    layout = shapes.layout_of_qrels(names, keeps_order=data.policies.qrels_depth is not None)
    judged = None if data.qrels is None else shapes.columns_of(data.qrels, layout)
    optional = data.optional_inputs().items()
    others = {role: shapes.columns_of(each, shapes.layout_of_optional(role, names)) for role, each in optional}
    by_query = {role: value for role, value in others.items() if "query" in OPTIONAL_INPUTS[role][0]}
    sides = {side_of(model): value for model, value in run_values.items()} | by_query
    check_positions(sides if judged is None else sides | {"qrels": judged})
    for number, (model, value) in enumerate(run_values.items(), start=1):
        role = "run" if model is None else f"run_{number}"
        runs[model] = find_source(value, side_of(model), role, of_run)
    if session.target == "duckdb":
        assert isinstance(session, DuckDB)
        orders = [*([] if data.rank is None else [data.rank]), *names.scores]
        is_low_first = data.rank is not None or data.policies.order == "ascending"
        labels = names.relevance if data.qrels is None and data.needs_judgements else None
        for model, source in runs.items():
            lists = Lists(source, names.item, session, side_of(model), look=must_exist)
            found = replace(lists, source=lists.with_finding(wanted)).with_lone_candidates(names.query)
            runs[model] = replace(lists, source=found).with_rows(orders, labels, is_low_first=is_low_first)
            if labels is not None:
                replace(lists, source=runs[model], item=labels).check_relevant()
        runs = with_rows(runs, names.item, names.scores[0], data.rank, data.policies)
    qrels = []
    for number, part in enumerate([] if judged is None else sources.by_format(judged, session), start=1):
        source = find_source(part, "qrels", "qrels" if number == 1 else f"qrels_{number}")
        if session.target == "duckdb" and names.relevance is not None:
            lists = Lists(source, names.qrels_item, session, "qrels", look=must_exist)  # type: ignore[arg-type]
            source = lists.with_grades(names.relevance)
            replace(lists, source=source).check_relevant()
        qrels.append(replace(source, aliases={**source.aliases, **aliases_of(source.columns or ())}))
    user_sources = Sources(runs, qrels, {role: find_source(value, role, role) for role, value in others.items()})
    _check_columns(data, user_sources)
    return user_sources


def _check_columns(data: Question, user_sources: Sources) -> None:
    """Refuse names of columns if no file without a header takes them."""
    runs = list(user_sources.runs.values())
    others = user_sources.all[len(runs) :]
    read_by = {"columns": user_sources.all, "qrels_columns": others}
    if "qrels_columns" in data.file_columns:
        read_by["columns"] = runs
    for argument in data.file_columns:
        if not any(source.is_named or source.columns is None for source in read_by[argument]):
            raise ArgumentError(
                "it names the columns of files without a header, but no such file was given",
                argument=argument,
                fix=(
                    f"Leave it out; {spell('query')}, {spell('item')} and so on say what the columns are that have a "
                    "name"
                ),
            )


def side_of(model: str | None) -> str:
    """Return what messages call a run."""
    return "run" if model is None else f"run {quote(model)}"


def _runs(data: Question, names: Names) -> Mapping[str | None, object]:
    """Return the runs by model name, which is None for a run without a name."""
    layout = shapes.layout_of_run(names, is_labelled=data.qrels is None)
    run = shapes.columns_of(data.run, layout)
    named = isinstance(run, Mapping) and not sources.is_columns(run, [*names.query, names.item])
    several = [named, len(names.scores) > 1, data.model is not None]
    if sum(several) > 1 or (len(names.scores) > 1 and data.rank is not None):
        raise ArgumentError(
            "pass only one of these: several named runs, a model column, several score columns",
            argument="run",
            fix="A rank column allows no score columns",
        )
    if not isinstance(run, Mapping) or not named:
        return {None: run}
    if not run:
        raise ArgumentError("the dict is empty: name at least one run, or give its columns", argument="run")
    for name, value in run.items():
        if isinstance(value, Number) or (isinstance(value, str) and not isinstance(name, str)):
            raise ArgumentTypeError(
                f"{quote(name)} holds {quote(value)}, which is not a list",
                argument="run",
                fix=advice.files.single_items("run"),
            )
        if not isinstance(name, str):
            raise ArgumentTypeError(f"a model is named by text, not by {quote(name)}", argument="run")
        if name and not is_sound(name):
            raise ArgumentError(f"{quote(name)} cannot be the name of a model", argument="run")
    return {name: shapes.columns_of(value, layout) for name, value in run.items()}
