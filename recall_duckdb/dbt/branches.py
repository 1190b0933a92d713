"""Join the forms of a text, one for each value of a parameter, into one text with Jinja conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from recall_duckdb.dbt.parameters import Tests
from recall_duckdb.definitions.trees import Value


def branch_on(
    names: Sequence[str],
    tests: Tests,
    form: Callable[[Mapping[str, Value]], str],
    settled: Mapping[str, Value] | None = None,
) -> str:
    """Return one text for all values of these parameters; values with the same text share a branch."""
    if not names:
        return form(settled or {})
    forms: dict[str, list[str]] = {}
    for value, test in tests[names[0]]:
        text = branch_on(names[1:], tests, form, {**(settled or {}), names[0]: value})
        forms.setdefault(text, []).append(test)
    if len(forms) == 1:
        return next(iter(forms))
    return _write_branches([(" or ".join(conditions), text) for text, conditions in forms.items()])


def _write_branches(forms: Sequence[tuple[str, str]]) -> str:
    """Return one text with a branch for each form; the first and last lines that all forms share are written once."""
    lines = [text.split("\n") for _, text in forms]
    alike = _alike(lines)
    before, rests = lines[0][:alike], [text[alike:] for text in lines]
    alike = _alike([rest[::-1] for rest in rests])
    after = rests[0][len(rests[0]) - alike :]
    middles = ["\n".join(rest[: len(rest) - alike]) for rest in rests]
    if not before and not after and not any("\n" in middle for middle in middles):
        return _if([(test, middle) for (test, _), middle in zip(forms, middles, strict=True)], "", "")
    written = [(test, f"\n{middle}" if middle else "") for (test, _), middle in zip(forms, middles, strict=True)]
    return "\n".join([*before, _if(written, "-", "\n"), *after])


def _if(forms: Sequence[tuple[str, str]], trim: str, end: str) -> str:
    """Return a Jinja `if` with a branch for each text that is not empty."""
    forms = sorted(forms, key=lambda form: not form[1])
    written = ""
    for number, (test, text) in enumerate(forms):
        if number == len(forms) - 1:
            written += f"{{%{trim} else %}}{text}{end}" if text else ""
        else:
            written += f"{{%{trim} {'elif' if number else 'if'} {test} %}}{text}{end}"
    return f"{written}{{%{trim} endif %}}"


def _alike(texts: Sequence[Sequence[str]]) -> int:
    """Return how many first lines all texts share, up to a line where no Jinja block is open."""
    count = 0
    for number, lines in enumerate(zip(*texts, strict=False), start=1):
        if len(set(lines)) > 1:
            break
        text = "\n".join(texts[0][:number])
        if len(re.findall(r"{%-? *(?:for|if) ", text)) == len(re.findall(r"{%-? *end(?:for|if) ", text)):
            count = number
    return count
