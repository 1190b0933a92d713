"""Signatures and documentation of functions, from the fields and docstrings of the question that they take."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar, get_type_hints

from recall_duckdb.errors import nearest

P = ParamSpec("P")
Q = TypeVar("Q")
R = TypeVar("R")

_CUTOFFS = frozenset({"k", "ks", "at", "at_k", "k_values", "top_k", "topk", "cutoff", "cutoffs"})


def argument_docs(kind: type) -> dict[str, str]:
    """Return what each argument is, by its name, from the docstrings of a kind of question and what it is made of.

    >>> from recall_duckdb.question import Data
    >>> argument_docs(Data)["weights"]
    'a weight for each query, for weighted means.'
    """
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        docs |= _own_docs(each)
    return {field.name: docs.get(field.name, "") for field in fields(kind)}  # python -OO strips docstrings


@cache
def _own_docs(kind: type) -> dict[str, str]:
    """Return what the docstring of a class says of its own arguments."""
    _, _, below = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    written = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", below.partition("\n\n")[0], re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in written}


def takes(kind: Callable[P, Q]) -> Callable[[Callable[[Q], R]], Callable[P, R]]:
    """Let a function of one question take the arguments of that question, with their types and documentation."""

    def decorate(function: Callable[[Q], R]) -> Callable[P, R]:
        hidden = getattr(kind, "hidden", ())
        signature = inspect.signature(kind)
        named = [each for name, each in signature.parameters.items() if name not in hidden]
        signature = signature.replace(parameters=named)

        @wraps(function)
        def taking(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                signature.bind(*args, **kwargs)
            except TypeError as wrong:
                raise TypeError(f"{function.__name__}() {wrong}{_hint(kwargs, signature.parameters)}") from None
            return function(kind(*args, **kwargs))

        returned = function.__annotations__["return"]
        taking.__signature__ = signature.replace(return_annotation=returned)  # type: ignore[attr-defined]
        types, returns = get_type_hints(kind), get_type_hints(function)["return"]
        taking.__annotations__ = {**{name: types[name] for name in signature.parameters}, "return": returns}
        taking.__doc__ = _with_arguments(inspect.cleandoc(function.__doc__ or ""), kind, list(signature.parameters))
        return taking

    return decorate


def _hint(passed: Iterable[str], known: Collection[str]) -> str:
    """Return what was meant by the first argument that a function does not have, or an empty text."""
    unknown = next((name for name in passed if name not in known), None)
    if unknown is None:
        return ""
    if unknown in _CUTOFFS and "metrics" in known:
        return ". A cutoff is part of a metric's name: pass metrics='recall@10'"
    return f".{nearest(unknown, known)}"


def _with_arguments(text: str, kind: Any, names: list[str]) -> str:
    """Return a docstring with the section `Args` before `Returns`; python -OO strips docstrings."""
    if not text:
        return text
    docs = argument_docs(kind)
    lines = [_paragraph(f"{name}: {docs.get(name, '')}") for name in names]
    above, returns, below = text.partition("Returns:\n")
    return "\n".join([f"{above}Args:", *lines, "", f"{returns}{below}"])


@cache
def _paragraph(text: str) -> str:
    """Return the documentation of an argument as lines of a docstring; the functions have most arguments in common."""
    return textwrap.fill(text, 112, initial_indent=" " * 4, subsequent_indent=" " * 8)
