"""Finds the sources of a question: the runs, the qrels and the optional inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recall_duckdb.engines import Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, is_sound, shown
from recall_duckdb.inputs import shapes, sources
from recall_duckdb.inputs.sources import Source
from recall_duckdb.question import Names, Question


@dataclass(frozen=True)
class Found:
    """The sources of a question: the runs by model name, which is None for a run without a name."""

    runs: Mapping[str | None, Source]
    qrels: Source | None
    optional: Mapping[str, Source]

    @property
    def all(self) -> list[Source]:
        """Every source, in a fixed order."""
        return [*self.runs.values(), *([] if self.qrels is None else [self.qrels]), *self.optional.values()]


def find(data: Question, session: Session, *, must_exist: bool = True) -> Found:
    """Find the sources that the user named or gave.

    Raises:
        UnknownNameError: a relation is not there.
        ArgumentError: arguments contradict each other.
        ArgumentTypeError: a value of this type cannot be read.
        DataError: a file cannot be read as what its name says it is.
    """
    names, runs = data.names, {}
    for number, (model, value) in enumerate(_runs(data, names).items(), start=1):
        role = "run" if model is None else f"run_{number}"
        runs[model] = sources.find(value, session, side_of(model), role, must_exist=must_exist)
    qrels = None
    if data.qrels is not None:
        qrels = sources.find(shapes.qrels_columns(data.qrels, names), session, "qrels", "qrels", must_exist=must_exist)
    optional = {
        role: sources.find(value, session, role, role, must_exist=must_exist)
        for role, value in data.optional_inputs().items()
    }
    return Found(runs, qrels, optional)


def side_of(model: str | None) -> str:
    """Return what messages call a run."""
    return "run" if model is None else f"run {model!r}"


def _runs(data: Question, names: Names) -> Mapping[str | None, object]:
    """Return the runs by model name, which is None for a run without a name."""
    run = shapes.run_columns(data.run, names)
    named = isinstance(run, Mapping) and not sources.is_columns(run, [*names.query, names.item])
    several = [named, len(names.scores) > 1, data.model is not None]
    if sum(several) > 1 or (len(names.scores) > 1 and data.rank is not None):
        raise ArgumentError("run: pass only one of these: several named runs, a model column, several score columns. "
                            "A rank column allows no score columns")  # fmt: skip
    if not isinstance(run, Mapping) or not named:
        return {None: run}
    if not run:
        raise ArgumentError("run: the dict is empty: name at least one run, or give its columns")
    for name in run:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"run: a model is named by text, not by {shown(name)}")
        if name and not is_sound(name):
            raise ArgumentError(f"run: {shown(name)} cannot be the name of a model")
    return {name: shapes.run_columns(value, names) for name, value in run.items()}
