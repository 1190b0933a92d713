"""Reads and writes the names that trec_eval and other libraries have for a metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from recall_duckdb.definitions.templates import Template
from recall_duckdb.errors import digits


def text_of(value: str | float) -> str:
    """Return the shortest text of an option's value."""
    return value if isinstance(value, str) else digits(value)


# The text after the dot in trec_eval -m P.5,10 and -m rbp.p=0.8.
PARAMETER = r"(?:\w+=)?\d[\d.]*"


# Measures of ir_measures that no metric here computes.
WITHOUT_METRIC = frozenset(
    (
        *("Accuracy", "AP_IA", "BPM", "Compat", "ERR_IA", "INSQ", "INST", "MAP_IA", "nERR_IA", "NERR8", "NERR9"),
        *("NERR10", "NERR11", "nNRBP", "NRBP", "P_IA", "SDCG", "StRecall"),
        *(f"{alpha}_{measure}" for alpha in ("alpha", "\N{GREEK SMALL LETTER ALPHA}") for measure in ("DCG", "nDCG")),
    )
)

# A placeholder in a spelling, with its format if that is not the shortest.
_PLACEHOLDER = re.compile(r"\$(\w+)(?::(\.\df))?")


@dataclass(frozen=True)
class Spelling:
    """A name that others have for a metric, and the options that it stands for: `gm_map (mean=geometric)`.

    `$x` is a placeholder: the cutoff k, an option, or what an option is computed from, as in `set_F_$x
    (beta=sqrt($x))`. In `SetF (beta=sqrt($beta))` it is the beta of SetF(beta=2); without one, the spelling does not
    apply. `$recall:.2f` is printed with two decimals.
    """

    name: str
    options: Mapping[str, str]

    @cached_property
    def _regex(self) -> str:
        parts = _PLACEHOLDER.split(self.name)  # text, placeholder, format, text, …
        groups = [f"(?P<{placeholder}>[^_@]+)" for placeholder in parts[1::3]]
        return "".join(map("".join, zip(map(re.escape, parts[::3]), [*groups, ""], strict=True)))

    def read(self, name: str, written: Mapping[str, str], flags: int) -> tuple[str | None, dict[str, str]] | None:
        """Return the cutoff and all options of a name and the options given with it; None if it is another name."""
        match = re.fullmatch(self._regex, name, flags)
        if match is None:
            return None
        values = match.groupdict()
        k = values.pop("k", None)
        values |= written
        used = {placeholder for value in self.options.values() for placeholder, _ in _PLACEHOLDER.findall(value)}
        if not used <= values.keys():
            return None
        options = {
            option: _PLACEHOLDER.sub(lambda each: values[each[1]], value) for option, value in self.options.items()
        }
        return k, options | {option: value for option, value in values.items() if option not in used}

    def show(self, aliases: Mapping[str, str]) -> str:
        """Return the name as a list of metrics shows it, with what it stands for; `aliases` are others' option names.

        >>> Spelling("set_F_$x", {"beta": "sqrt($x)"}).show({})
        'set_F_x (beta=sqrt(x))'
        >>> Spelling("RBP@$k", {"threshold": "$threshold"}).show({"threshold": "rel"})
        'RBP(rel=x)@k (threshold=x)'
        """
        named = [name for name, _ in _PLACEHOLDER.findall(self.name) if name != "k"]
        options = {**{name: f"${name}" for name in named if name != "x"}, **self.options}
        used = [name for value in self.options.values() for name, _ in _PLACEHOLDER.findall(value)]
        arguments = ", ".join(f"{aliases.get(name, name)}=x" for name in used if name not in named)
        stem, at, k = _PLACEHOLDER.sub(lambda each: "k" if each[1] == "k" else "x", self.name).partition("@")
        name = f"{stem}({arguments}){at}{k}" if arguments else f"{stem}{at}{k}"
        meaning = ", ".join(f"{option}={_PLACEHOLDER.sub('x', value)}" for option, value in options.items())
        return f"{name} ({meaning})" if meaning else name

    def write(self, values: Mapping[str, str | float], chosen: set[str]) -> str | None:
        """Return the name of a metric with these options, of which some are not the defaults; None if it has another.

        The cutoff, if there is one, is among them.
        """
        known = dict(values)
        for option, value in self.options.items():
            placeholder = _PLACEHOLDER.search(value)
            if placeholder is None and text_of(values[option]) != value:
                return None
            if placeholder is not None:  # rounded, because sqrt(2) squared differs from 2 in the last bit
                known[placeholder[1]] = float(f"{float(values[option]) ** 2:.15g}")
        formats = dict(_PLACEHOLDER.findall(self.name))
        if not chosen <= self.options.keys() | formats.keys() or not formats.keys() <= known.keys():
            return None
        shown = {name: format(known[name], spec) if spec else text_of(known[name]) for name, spec in formats.items()}
        if any(spec and float(shown[name]) != known[name] for name, spec in formats.items()):
            return None
        return _PLACEHOLDER.sub(lambda each: shown[each[1]], self.name)


@cache
def _spellings_in(head: str) -> list[Spelling]:
    matches = re.finditer(r"([^,\s(]+)(?: \(((?:[^()]|\([^()]*\))*)\))?(?:, |$)", head)
    return [Spelling(match[1], dict(assignments(match[2] or ""))) for match in matches]


def spellings(template: Template, *fields: str) -> list[Spelling]:
    """Return what trec_eval (Trec) and others (Also) call a metric."""
    return [spelling for field in fields for spelling in _spellings_in(template.head.get(field, ""))]


def assignments(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each option in text such as `p=0.8, gain=1:1,2:5`."""
    for part in filter(None, map(str.strip, re.split(r",(?![^=,]*:)", text))):
        name, _, value = part.partition("=")
        yield name.strip(), value.strip().strip("'\"")


# The largest gain in a table: beyond it, a sum over millions of items is not exact.
_LARGEST_GAIN = 1e12


def number_table(text: str) -> tuple[tuple[float, float], ...] | None:
    """Return the pairs of a table such as `0:0,1:1,2:5`, sorted; None if it is no table, or a gain is out of range.

    Numbers up to 0 have no gain.

    >>> number_table("{2: 5, 1: 1}")
    ((1.0, 1.0), (2.0, 5.0))
    """
    gains: dict[float, float] = {}
    for part in text.removeprefix("{").removesuffix("}").split(","):
        pair = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*:\s*(\d+(?:\.\d+)?)\s*", part)
        number, gain = (float(pair[1]), float(pair[2])) if pair else (0.0, -1.0)
        if number in gains or not 0 <= gain <= (_LARGEST_GAIN if number > 0 else 0):
            return None
        gains[number] = gain
    return tuple(sorted(gains.items()))
