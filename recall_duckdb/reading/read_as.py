"""Says in one line a side how the data of a question were read: from where, how many rows, and by which columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from recall_duckdb.errors import digits, some
from recall_duckdb.question import OPTIONAL_INPUTS, Question
from recall_duckdb.reading.columns import Reader

_MOST_SOURCES = 2  # in a line
_MOST_UNUSED = 5


@dataclass(frozen=True)
class ReadAs:
    """How one source was read."""

    side: str  # run, qrels, or the argument of an optional input
    model: str | None  # the name of the run; None if it has none, or if this is no run
    label: str  # the path or table, or a word for an object of Python
    rows: int | None  # the number of rows, if it is known without reading them
    columns: str  # the columns and what they are; empty for an optional input


def read_as(
    question: Question,
    runs: Mapping[str | None, Reader],
    qrels: Sequence[Reader],
    optional: Iterable[Reader],
    *,
    run_shape: str,
    qrels_shape: str,
    by_side: str | None,
    scored: Collection[str | None] = (),
) -> tuple[ReadAs, ...]:
    """Return how each source of a question is read: the runs, the qrels, and the optional inputs."""
    names = question.names
    is_labelled = not qrels and qrels_shape != "none"
    by = names.qrels_by if by_side == "qrels" else names.by
    parts: list[ReadAs] = []
    for model, reader in runs.items():
        keys, item = [reader.name("query", name) for name in names.query], reader.name("item", names.item)
        used = [*keys, item]
        if run_shape == "lists":
            shown = [*keys, f"{item} (lists, best first)"]
        else:
            is_scored = question.rank is None or model in scored
            argument, ordered = ("score", names.scores) if is_scored else ("rank", [question.rank or ""])
            numbers = [reader.name(argument, name) for name in ordered]
            used += numbers
            shown = [*keys, item, f"{', '.join(numbers)} ({_order(question, is_scored=is_scored)})"]
        if is_labelled:
            used.append(reader.name("relevance", names.relevance or ""))
            shown.append(_relevance(question, used[-1], qrels_shape))
        labels = {"model": [] if question.model is None else [question.model]}
        labels["by"] = by if by_side == "run" or (by_side == "qrels" and is_labelled) else []
        parts.append(_of_side("run", model, reader, used, shown, labels, question, qrels))
    for reader in qrels:
        keys, item = [reader.name("qrels_query", name) for name in names.qrels_query], names.qrels_item
        used = [*keys, reader.name("qrels_item", item)]
        shown = used.copy()
        if qrels_shape != "rows":
            shown[-1] = _relevance(question, used[-1], qrels_shape)
        elif names.relevance is None:
            shown.append("every row relevant")
        else:
            used.append(reader.name("relevance", names.relevance))
            shown.append(_relevance(question, used[-1], qrels_shape))
        labels = {"by": by if by_side == "qrels" else []}
        parts.append(_of_side("qrels", None, reader, used, shown, labels, question, [*runs.values()]))
    if question.unit is not None and "item_map" not in question.optional_inputs():
        parts.append(ReadAs("item_map", None, str(question.item_map), None, ""))
    return (*parts, *(ReadAs(each.side, None, each.source.label, each.source.rows, "") for each in optional))


def _of_side(
    side: str,
    model: str | None,
    reader: Reader,
    used: Sequence[str],
    shown: Sequence[str],
    labels: Mapping[str, Sequence[str]],
    question: Question,
    other_side: Sequence[Reader],
) -> ReadAs:
    """Return how a source is read, given the columns used, and the columns of models and slices by argument."""
    named = {
        argument: [reader.name(argument, name) for name in columns] for argument, columns in labels.items() if columns
    }
    parts = [", ".join(shown), *(f"{argument}: {', '.join(columns)}" for argument, columns in named.items())]
    parts += ["ids as text"] if question.policies.ids == "text" else []
    names = question.names
    # The run may hold the judgements too.
    is_both = question.qrels is None or question.qrels is question.run
    both = [names.item, names.qrels_item, names.relevance or "", *names.scores] if is_both else []
    unused = _unused(reader, [*used, *both, *(name for columns in named.values() for name in columns)], other_side)
    parts += [f"not used: {some(unused, _MOST_UNUSED, last=' and ')}"] if unused else []
    return ReadAs(side, model, reader.source.label, reader.source.rows, "; ".join(parts))


def _order(question: Question, *, is_scored: bool) -> str:
    if is_scored:
        return "lowest first" if question.policies.order == "ascending" else "highest first"
    return "ranks as given" if question.policies.ranks == "given" else "rank, lowest first"


def _relevance(question: Question, name: str, shape: str) -> str:
    threshold = question.policies.threshold
    relevant = "relevant above 0" if threshold is None else f"relevant from {digits(threshold)}"
    kinds = {"rows": relevant, "lists": "lists, every item relevant", "maps": f"maps of relevance, {relevant}"}
    return f"{name} ({kinds[shape]})"


def _unused(reader: Reader, used: Iterable[str], other_side: Sequence[Reader]) -> list[str]:
    """Return the columns that nothing reads, those of both sides first."""
    source = reader.source
    if source.is_canonical:  # the fixed columns of TREC files, such as the tag
        return []
    # A path such as results.id reads the column results.
    taken = {part for name in used for part in (name, name.partition(".")[0])}
    unused = [name for name in source.columns or () if name not in taken]
    shared = {name.casefold() for other in other_side for name in other.source.columns or ()}
    return sorted(unused, key=lambda name: name.casefold() not in shared)


def lines(sources: Sequence[ReadAs]) -> list[str]:
    """Return a line for each side, or several if its sources were read in different ways.

    >>> lines([ReadAs("run", None, "recs.parquet", 3000, "user, item, score (highest first)")])
    ['run: recs.parquet, 3,000 rows; user, item, score (highest first)']
    """
    groups: dict[tuple[str, str], list[ReadAs]] = {}
    for source in sources:
        if source.side not in OPTIONAL_INPUTS:
            groups.setdefault((source.side, source.columns), []).append(source)
    more = [f"; {each.side}: {_sources([each])}" for each in sources if each.side in OPTIONAL_INPUTS]
    found = []
    for (side, columns), alike in groups.items():
        are_all = len(alike) == sum(each.side == side for each in sources)
        models = [] if are_all else [each.model for each in alike if each.model is not None]
        title = f"{side}s" if side == "run" and len(alike) > 1 else side
        title = f"{title} {some(models, _MOST_SOURCES, last=' and ')}" if models else title
        found.append(f"{title}: {_sources(alike)}; {columns}{''.join(more) if side == 'run' else ''}")
    return found


def _sources(sources: Sequence[ReadAs]) -> str:
    """Return the sources with their number of rows, as in `recs.parquet, 3,000 rows`."""
    labels = [label for label in dict.fromkeys(_label(each.label) for each in sources) if label]
    counts = [each.rows for each in sources if each.rows is not None]
    total = sum(counts)
    rows = [f"{total:,} {'row' if total == 1 else 'rows'}"] if len(counts) == len(sources) else []
    return ", ".join([*([some(labels, _MOST_SOURCES, last=" and ")] if labels else []), *rows])


def _label(label: str) -> str:
    """Return what the user gave: a path or a name, or the kind of an object of Python.

    >>> _label("recs.parquet"), _label("the DataFrame given"), _label("the rows given")
    ('recs.parquet', 'DataFrame', '')
    """
    if not label.endswith(" given"):
        return label
    kind = label.removeprefix("the ").removesuffix(" given")
    return "" if kind == "rows" else kind
