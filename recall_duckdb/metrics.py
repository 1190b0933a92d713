"""Metrics by name: what `sql/4_metrics` holds, and how `recall@5,10` is read."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from recall_duckdb import templates
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, MetricFileError, UnknownNameError, listed, nearest
from recall_duckdb.templates import Template

MetricFolders = str | PathLike[str] | Sequence[str | PathLike[str]] | None

# Parameters that are not the metric's own: `k` comes with its name, the others are policies of the evaluation.
_KNOWN_PARAMETERS = {"k", "precision", "threshold"}


@dataclass(frozen=True)
class Metric:
    """A metric at a cutoff; `k` is None for the whole list. Its text is its name, as in `recall@10`."""

    template: Template
    k: int | None

    @property
    def name(self) -> str:
        """The name without the cutoff."""
        return self.template.name

    @property
    def column(self) -> str:
        """The name of its column within the SQL: letters, digits and underscores, which every engine takes."""
        return self.name if self.k is None else f"{self.name}_at_{self.k}"

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"


def catalog(folders: MetricFolders = None) -> dict[str, Template]:
    """Every metric by name: those of this package, and those of the folders given.

    Raises:
        ArgumentError: a folder is not there or holds no .sql file.
        MetricFileError: a file in it is not a metric, or has the name of one that is there already.
    """
    found = dict(templates.metric_files(templates.sql_folder() / templates.METRICS))
    given = [folders] if isinstance(folders, (str, PathLike)) else list(folders or [])
    for folder in map(Path, given):
        own = templates.metric_files(folder.resolve()) if folder.is_dir() else {}
        if not own:
            raise ArgumentError(f"metric_folder: {str(folder)!r} is not a folder that holds .sql files")
        for name, template in own.items():
            if name in found:
                raise MetricFileError(
                    f"{template.path}: there is a metric {name!r} already: give the file another name"
                )
            unknown = template.parameters - _KNOWN_PARAMETERS
            if unknown:
                raise MetricFileError(
                    f"{template.path}: unknown parameter ${min(unknown)}; known: $k, $precision, $threshold"
                )
        found.update(own)
    return found


def parse(metrics: str | Iterable[str], folders: MetricFolders = None) -> list[Metric]:
    """The metrics that names such as "recall@5,10" or ["recall@10", "rr"] stand for, each once, in their order.

    Raises:
        UnknownNameError: there is no such metric; the message holds the nearest name.
        ArgumentError: k is not a whole number of at least 1, or the metric takes none.

    >>> [str(metric) for metric in parse(["recall@5,10", "rr"])]
    ['recall@5', 'recall@10', 'rr']
    """
    if not isinstance(metrics, (str, Iterable)):
        raise ArgumentTypeError(f"metrics: a name or a list of names is expected, not {type(metrics).__name__}")
    known = catalog(folders)
    found: dict[str, Metric] = {}
    for text in [metrics] if isinstance(metrics, str) else metrics:
        if not isinstance(text, str):
            raise ArgumentTypeError(f"metrics: a name such as 'recall@10' is expected, not {text!r}")
        for metric in _parse_one(text, known):
            found.setdefault(str(metric), metric)
    columns: dict[str, Metric] = {}
    for metric in found.values():
        other = columns.setdefault(metric.column, metric)
        if other is not metric:
            raise ArgumentError(f"metrics: {other} and {metric} would share a column: rename the file of one of them")
    if not found:
        raise ArgumentError("metrics: name at least one, such as 'recall@10'")
    return list(found.values())


def _parse_one(text: str, known: dict[str, Template]) -> list[Metric]:
    # "recall@5,10,rr": a part that looks like a number is one more cutoff of the name before it.
    requests: list[tuple[str, list[str]]] = []
    for part in text.split(","):
        name, at, k = part.strip().partition("@")
        if not at and requests and requests[-1][1] and not re.match(r"[A-Za-z_]", name):
            requests[-1][1].append(name)
        else:
            requests.append((name.strip(), [k] if at else []))
    found: list[Metric] = []
    for name, cutoffs in requests:
        if name not in known:
            raise UnknownNameError(
                f"there is no metric {name!r} (in {text!r}).{nearest(name, known)} Known: {listed(known)}"
            )
        template = known[name]
        if cutoffs and "k" not in template.parameters:
            raise ArgumentError(f"{name!r} takes no cutoff, but {text!r} gives it one: ask for {name!r}")
        found.extend(Metric(template, cutoff(k, text)) for k in cutoffs or (None,))
    return found


def cutoff(k: object, text: str | None = None) -> int | None:
    """A cutoff that is a whole number of at least 1, or None for the whole list; raises `ArgumentError` for others."""
    if k is None:
        return None
    where = f" in {text!r}" if text else ""
    if isinstance(k, str):
        if not re.fullmatch(r"\s*[0-9]{1,18}\s*", k):
            raise ArgumentError(f"k must be a whole number of at least 1, not {k.strip()!r}{where}")
        k = int(k)
    try:
        whole = operator.index(int(k) if isinstance(k, float) and k.is_integer() else k)  # type: ignore[arg-type]
    except TypeError:
        whole = 0
    if whole < 1 or isinstance(k, bool):
        raise ArgumentError(f"k must be a whole number of at least 1, not {k!r}{where}")
    return whole
