"""Format the measurements as tables for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.data import METRIC_SETS
from benchmarks.harness import Case, Measured
from benchmarks.targets import Target

MARK = "<!-- results -->"
Rows = Sequence[Sequence[str]]


def number(value: float | None, form: str = ".2f") -> str:
    """Format a number; None is a dash."""
    return "–" if value is None else format(value, form)


def table(header: Sequence[str], rows: Rows, *, markdown: bool) -> str:
    """Format a table. The first and last columns are aligned left, the numbers between them right."""
    if markdown:
        rule = ["---:" if 0 < number < len(header) - 1 else "---" for number in range(len(header))]
        return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *rows])
    widths = [max(len(row[number]) for row in [header, *rows]) for number in range(len(header))]
    lines = []
    for row in [header, ["-" * width for width in widths], *rows]:
        cells = [
            cell.rjust(width) if 0 < number < len(row) - 1 else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def of_case(case: Case, *, markdown: bool) -> str:
    """Format a case: a row for each subject."""
    bare = "scan + join" if any(one.name == "scan + join" for one in case.subjects) else "scan"
    header = ["subject", "wall s", "CPU s", "wall / ours", f"CPU / {bare}", "peak MB", "of it imports", "remarks"]
    rows = [
        [
            one.name,
            number(one.median("wall"), ".3f"),
            number(one.median("cpu"), ".3f"),
            number(case.ratio(one.name, "ours", "wall")),
            number(case.ratio(one.name, bare, "cpu")),
            number(one.most("peak"), ".0f"),
            number(one.median("imported"), ".0f"),
            remarks(one),
        ]
        for one in case.subjects
    ]
    title = f"{case.data}, {case.rows:,} rows, {case.metrics}: {', '.join(METRIC_SETS[case.metrics])}"
    return "\n".join([*heading(title, markdown=markdown), table(header, rows, markdown=markdown)])


def remarks(measured: Measured) -> str:
    """Return the remarks on a subject: trouble, and metrics that it lacks."""
    without = [f"without {', '.join(measured.without)}"] if measured.without else []
    return "; ".join([*filter(None, [measured.trouble]), *without])


def of_targets(found: Sequence[Target], *, markdown: bool) -> str:
    """Format all targets, including those whose data were not run."""
    shown = {True: "yes", False: "NO", None: "–"}
    rows = [[target.what, target.wanted, target.measured, shown[target.is_met]] for target in found]
    lines = table(["target", "wanted", "measured", "met"], rows, markdown=markdown)
    return "\n".join([*heading("Targets", markdown=markdown), lines])


def of_own(own: Mapping[str, float], *, markdown: bool) -> str:
    """Format what the package costs outside the engine."""
    rows = [[what, f"{seconds:.4f}", ""] for what, seconds in own.items()]
    lines = table(["what", "seconds or ratio", ""], rows, markdown=markdown)
    return "\n".join([*heading("The package's own cost", markdown=markdown), lines])


def of_growth(growth: Mapping[str, Sequence[Case]], *, markdown: bool) -> str:
    """Format a table for each axis."""
    parts = []
    for axis, cases in growth.items():
        rows = []
        for case in cases:
            [ours] = case.subjects
            seconds = [number(ours.median("wall"), ".3f"), number(ours.median("cpu"), ".3f")]
            rows.append([case.metrics, *seconds, number(ours.most("peak"), ".0f"), remarks(ours)])
        first = axis.partition(",")[0]
        lines = table([first, "wall s", "CPU s", "peak MB", "remarks"], rows, markdown=markdown)
        parts.append("\n".join([*heading(f"Growth with {axis}", markdown=markdown), lines]))
    return "\n\n".join(parts)


def of_small(small: Mapping[str, Sequence[Case]], *, markdown: bool) -> str:
    """Format small evaluations in milliseconds: calls, the first call, and several models."""

    def milliseconds(case: Case, name: str, what: str = "wall") -> str:
        found = next(one for one in case.subjects if one.name == name).median(what)
        return number(None if found is None else found * 1000, ".1f")

    peers = [one.name for one in small["calls"][0].subjects if one.name != "ours"]
    compared = [name for name in peers if name in ("pytrec_eval", "ir_measures")]
    header = ["rows", "ours, ms", *peers, *(f"ours / {name}" for name in compared), "from"]
    calls = [
        [
            f"{case.rows:,}",
            *(milliseconds(case, name) for name in ("ours", *peers)),
            *(number(case.ratio("ours", name, "wall")) for name in compared),
            case.data,
        ]
        for case in small["calls"]
    ]
    [case] = small["first"]
    least = case.subjects[1].name
    first = [
        [one.name, milliseconds(case, one.name, "cpu"), number(case.ratio(one.name, least, "cpu")), ""]
        for one in case.subjects
    ]
    several = [[case.data, *(milliseconds(case, one.name) for one in case.subjects), ""] for case in small["models"]]
    tables = {
        f"Small data, {', '.join(METRIC_SETS['few'])}": (header, calls),
        "The first call of a process": (["", "CPU ms", "ratio", ""], first),
        "Several models, 10,000 rows each": (["models", "one call, ms", "a call for each", ""], several),
    }
    return "\n\n".join(
        "\n".join([*heading(title, markdown=markdown), table(*held, markdown=markdown)])
        for title, held in tables.items()
    )


def of_machine(machine: Mapping[str, Any]) -> str:
    """Format the machine, the versions and the settings."""
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return (
        f"{machine['date']}, {machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB; "
        f"Python {machine['python']}, {versions}; commit {machine['commit']}; "
        f"{machine['repeats']} round{'s' * (machine['repeats'] > 1)}, {machine['threads']} "
        f"thread{'s' * (machine['threads'] > 1)}, DuckDB within {machine['memory_limit']}."
    )


def heading(title: str, *, markdown: bool) -> list[str]:
    """Return the lines of a title."""
    return [f"### {title}", ""] if markdown else [title]


def write_markdown(path: Path, text: str) -> None:
    """Write a file; if it has the mark, replace only the text below the mark."""
    before = path.read_text("utf-8").partition(MARK)[0] if path.exists() else ""
    path.write_text(f"{before}{MARK}\n\n{text}\n" if before else f"{text}\n", "utf-8")
