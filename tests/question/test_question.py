"""Each argument is documented once: signatures, docstrings, options and docs/arguments.md agree."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from asking import Output, Patch, fails
from folders import ROOT

from recall_duckdb import check, evaluate, pool, sql
from recall_duckdb.cli import main
from recall_duckdb.question import (
    CheckQuestion,
    Data,
    EvaluateQuestion,
    PoolQuestion,
    Question,
    SqlQuestion,
    argument_docs,
)
from recall_duckdb.question.policies import CHOICES, Policies

ASKED: dict[str, tuple[Callable[..., Any], type[Question]]] = {
    "evaluate": (evaluate, EvaluateQuestion),
    "sql": (sql, SqlQuestion),
    "check": (check, CheckQuestion),
    "pool": (pool, PoolQuestion),
}
# Arguments that the command line has in another form, or does not need.
OF_PYTHON = {"connection", "create", "view", "table", "run", "metrics", "dialect", "skip", "per_query", "texts"}
EVERY = pytest.mark.parametrize("name", ASKED)


def taken(kind: type[Question]) -> set[str]:
    """Return the arguments of a question that its function takes."""
    return {item.name for item in fields(kind)} - {*kind.hidden}


def words(text: str) -> str:
    return " ".join(text.split())


@EVERY
def test_a_function_has_the_arguments_of_its_question(name: str) -> None:
    function, kind = ASKED[name]
    signature, own = inspect.signature(function), inspect.signature(kind)
    assert list(signature.parameters) == [name for name in own.parameters if name not in kind.hidden]
    assert signature.parameters.items() <= own.parameters.items()
    assert set(signature.parameters) == taken(kind)
    assert set(get_type_hints(function)) == {*signature.parameters, "return"}


@EVERY
def test_every_argument_is_documented_once(name: str) -> None:
    function, kind = ASKED[name]
    texts = argument_docs(kind)
    assert set(texts) == {item.name for item in fields(kind)}
    text = words(function.__doc__ or "")
    for argument in taken(kind):
        assert text.count(words(f"{argument}: {texts[argument]}")) == 1


@EVERY
def test_help_documents_an_option_like_its_argument(name: str, capsys: Output, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    fails(SystemExit, "", main, [name, "--help"])
    shown = capsys.readouterr().out
    kind = ASKED[name][1]
    for argument in taken(kind) - OF_PYTHON:
        option, text = argument.replace("_", "-"), argument_docs(kind)[argument].rstrip(".").replace("None", "none")
        assert re.search(rf"^  --{option} .*\n?.*{re.escape(text)}", shown, re.MULTILINE), argument


def test_the_first_choice_of_a_policy_is_its_default() -> None:
    assert {name: choices[0] for name, choices in CHOICES.items()} == {
        name: getattr(Policies(), name) for name in CHOICES
    }


@EVERY
def test_an_unknown_argument_is_a_type_error_that_names_the_function(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name}\(\) .* keyword argument 'qrel'. Did you mean 'qrels'.$"):
        ASKED[name][0]("run", qrel="qrels")


@pytest.mark.parametrize("name", ["k", "cutoffs", "top_k"])
def test_a_cutoff_is_no_argument_of_its_own(name: str) -> None:
    with pytest.raises(TypeError, match=r"A cutoff is part of a metric's name: pass metrics='recall@10'$"):
        evaluate({"q": ["a"]}, {"q": ["a"]}, **{name: 10})  # type: ignore[arg-type]


@pytest.mark.slow
def test_everything_works_without_docstrings() -> None:
    code = (
        "from recall_duckdb import evaluate, RecallError\n"
        "from recall_duckdb.cli import main\n"
        "run = {'query': [1], 'item': ['a'], 'score': [0.5], 'relevance': [1]}\n"
        "print(evaluate(run, metrics='rr').value('rr'))\n"
        "try:\n    evaluate(run, metrics='coverage@1')\nexcept RecallError:\n    print('refused')\n"
        "main(['--version'])\n"
    )
    done = subprocess.run([sys.executable, "-OO", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split()[:3] == ["1.0", "refused", "recall-duckdb"], done.stderr


def test_a_question_cannot_be_changed() -> None:
    question = EvaluateQuestion("run", "qrels", "recall@10")
    with pytest.raises(AttributeError):
        question.metrics = "rr"  # type: ignore[misc]
    assert isinstance(question, Data)
