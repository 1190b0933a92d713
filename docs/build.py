"""Writes docs/arguments.md from what the package says of its arguments: `python docs/build.py`."""

from __future__ import annotations

from dataclasses import fields
from inspect import signature
from pathlib import Path

from recall_duckdb.question import OPTIONAL_INPUTS, CheckQuestion, EvaluateQuestion, Question, SqlQuestion, documented
from recall_duckdb.question.policies import CHOICES

KINDS: dict[str, type[Question]] = {"evaluate": EvaluateQuestion, "sql": SqlQuestion, "check": CheckQuestion}
PAGE = Path(__file__).parent / "arguments.md"
HEAD = """# Arguments

<!-- Written by docs/build.py from docstrings: edit those in question.py and policies.py instead. -->

The functions `evaluate`, `sql` and `check` take these arguments. The commands of the same names take them as options:
`qrels_query=` is `--qrels-query`, and `metrics=` is `--metric`. `run` has no option: runs stand side by side. `view`
and `table` are `--as`. `connection` and `create` are for Python alone, and `dialect` is an option of `sql` alone.

| argument | of | default | what it is |
|---|---|---|---|
"""


def text() -> str:
    """Return the page: a row for each argument, in the order of the signatures."""
    rows: dict[str, str] = {}
    for kind in KINDS.values():
        said = documented(kind)
        for field in sorted(fields(kind), key=lambda field: list(signature(kind).parameters).index(field.name)):
            functions = [name for name, other in KINDS.items() if field.name in {each.name for each in fields(other)}]
            everywhere = "all" if len(functions) == len(KINDS) else ", ".join(functions)
            default = "" if field.name == "run" else f"`{field.default!r}`"
            about = said[field.name]
            if field.name in OPTIONAL_INPUTS:
                keys, numbers = OPTIONAL_INPUTS[field.name]
                about = f"(columns {', '.join([*keys, *numbers])}) {about}"
            if field.name in CHOICES:
                values = " / ".join(CHOICES[field.name])
                about = f"({values}) {about}"
            rows.setdefault(field.name, f"| `{field.name}` | {everywhere} | {default} | {about} |")
    return HEAD + "\n".join(rows.values()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text())
