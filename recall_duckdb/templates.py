"""The SQL files, read: every definition lives in `sql/`, and this module only finds and checks them.

A file's stem is the name of its relation. A folder named after a relation holds the relation's variants, one file each,
named after the policy value or the input shape that it is for. The text above a file's SELECT is its head: one sentence
of definition, then `Field: text` lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from itertools import takewhile
from pathlib import Path

from sqlglot import exp
from sqlglot.errors import SqlglotError

from recall_duckdb import trees
from recall_duckdb.errors import MetricFileError

METRICS = "4_metrics"
CHECKS = "checks"
STAGES = ("1_inputs", "2_ranking", "3_judging", METRICS, "5_summary")


@dataclass(frozen=True)
class Template:
    """One SQL file: a relation, or one variant of it."""

    name: str
    variant: str
    stage: str
    path: str
    head: dict[str, str]
    _tree: exp.Select = field(repr=False)

    @property
    def definition(self) -> str:
        """The first sentence of the head: what the relation or metric is."""
        return self.head["Definition"]

    @cached_property
    def parameters(self) -> set[str]:
        """The parameters of the statement, without their dollar sign."""
        return trees.parameters(self._tree)

    @cached_property
    def columns(self) -> frozenset[str]:
        """The names of the columns that the statement reads."""
        return frozenset(column.name for column in self._tree.find_all(exp.Column))

    @cached_property
    def reads(self) -> list[str]:
        """The relations that the statement names in FROM and JOIN."""
        return trees.tables(self._tree)

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is one aggregate over judged and nothing else, so that a metric shares the pass of the others."""
        clauses = ("joins", "where", "having", "qualify", "distinct")
        subqueries = list(self._tree.find_all(exp.Subquery, exp.CTE))
        return self.reads == ["judged"] and not subqueries and not any(self._tree.args.get(name) for name in clauses)

    def tree(self) -> exp.Select:
        """A copy of the statement's tree, to be filled in."""
        return self._tree.copy()


def sql_folder() -> Path:
    """Where `sql/` lies: inside the installed package, or beside it in a clone or an editable install."""
    package = Path(str(files("recall_duckdb")))
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / METRICS).is_dir():
            return folder
    raise FileNotFoundError(f"the folder sql/ is neither in {package} nor beside it: reinstall recall-duckdb")


@cache
def relations() -> dict[str, dict[str, Template]]:
    """Every relation of the pipeline by name, and its variants by theirs; '' where a relation has but one form."""
    found: dict[str, dict[str, Template]] = {}
    for stage in STAGES:
        folder = sql_folder() / stage
        for path in sorted(folder.rglob("*.sql")) if stage != METRICS else []:
            variant = "" if path.parent == folder else path.stem
            name = path.stem if path.parent == folder else path.parent.name
            found.setdefault(name, {})[variant] = read(path, stage, name, variant)
    return found


@cache
def checks() -> dict[str, Template]:
    """Every data check by name, in the order of their names."""
    return {path.stem: read(path, CHECKS) for path in sorted((sql_folder() / CHECKS).glob("*.sql"))}


@cache
def metric_files(folder: Path) -> dict[str, Template]:
    """Every metric of a folder by name; raises `MetricFileError` for a file that is not one metric."""
    found = {path.stem: read(path, METRICS) for path in sorted(folder.glob("*.sql"))}
    for template in found.values():
        _check_metric(template)
    return found


def read(path: Path, stage: str, name: str = "", variant: str = "") -> Template:
    """One SQL file; raises `MetricFileError` where it does not parse or its head does not say what it is."""
    text = path.read_text(encoding="utf-8")
    try:
        tree = trees.parse(text)
    except (SqlglotError, ValueError) as error:
        raise MetricFileError(f"{path}: cannot be read as one SELECT statement: {error}") from error
    head = _head(text, path)
    tree.comments = [f" {head['Definition']} "]  # of the head, a composed statement keeps what the relation is
    return Template(name or path.stem, variant, stage, str(path), head, tree)


def _head(text: str, path: Path) -> dict[str, str]:
    """The comment above the statement as {'Definition': …, 'Grain': …, …}; a line that begins deeper goes on."""
    head: dict[str, str] = {}
    for name, line in _head_lines(text):
        head[name] = f"{head[name]} {line}" if name in head else line
    for needed in ("Definition", "Grain"):
        if not head.get(needed):
            what = "a first line that says what it is" if needed == "Definition" else "a line `-- Grain: …`"
            raise MetricFileError(f"{path}: the comment at its head needs {what}, as the files in sql/4_metrics have")
    return head


def _head_lines(text: str) -> Iterator[tuple[str, str]]:
    name = "Definition"
    for line in takewhile(lambda line: line.startswith("--"), text.splitlines()):
        said = line.removeprefix("--").strip()
        started = re.match(r"(Grain|Params|Source|Reads|Edges|When|Rule|Do):\s*(.*)", said)
        if started:
            name, said = started.groups()
        if said:
            yield name, said


def _check_metric(template: Template) -> None:
    names = [projection.alias_or_name for projection in template._tree.expressions]
    expected = ["model", "query", template.name]
    if names != expected:
        raise MetricFileError(
            f"{template.path}: a metric file selects the columns {', '.join(expected)} (the last is its own name), "
            f"not {', '.join(names)}"
        )
    summary = ("measured", "per_query", "averages", "means")
    taken = {name for relation in summary for name in relations()[relation][""]._tree.named_selects}
    if template.name in taken | {*relations(), "metrics", "labelled", "run_source", "qrels_source"}:
        raise MetricFileError(f"{template.path}: {template.name!r} is a name of the pipeline already: rename the file")
    unknown = set(template.reads) - set(relations())
    if unknown:
        raise MetricFileError(
            f"{template.path}: reads {', '.join(sorted(unknown))}, which is no relation of the pipeline; "
            "a metric reads judged, ranked, retrieved or qrels"
        )
