"""What messages advise gives the right number: each line is written as it stands in the message, and evaluated."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace as Object
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import recall_duckdb
from recall_duckdb import RecallError, evaluate

RELEVANT = {"q": ["b"]}  # of the items a and b
BOTH = {"q": ["a", "b"]}


@dataclass
class Advice:
    """A question whose message advises a line, and what the line gives.

    Attributes:
        run: the run of the question.
        qrels: its qrels.
        line: how the line begins in the message: with a Python expression, or with an argument.
        right: the reciprocal rank that the line gives, or what a message says of the data that the line makes.
        arguments: further arguments of the question.
        names: what the names in the line stand for, in addition to run and qrels.
        of: what the value of an expression replaces: run, qrels, or the list of a query.
    """

    run: Any
    qrels: Any
    line: str
    right: float | str
    arguments: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    of: str = "run"


def lists(**columns: Any) -> dict[str, Any]:
    return {"query": ["q"], "item": [["a", "b"]], **{name: [values] for name, values in columns.items()}}


def hits(*numbers: float, name: str = "score") -> list[dict[str, Any]]:
    return [{"id": item, name: number} for item, number in zip("abc", numbers, strict=False)]


POINTS = [Object(id="a", score=0.1), Object(id="b", score=0.9)]  # as of Qdrant
TEXTS = [Object(id=None, metadata={"source_id": 1, "doc_id": item}, page_content="x") for item in "abc"]  # LangChain
DOCUMENTS, UNSORTED = ([*zip(TEXTS, scores, strict=False)] for scores in ([0.1, 0.9], [0.9, 0.1, 0.5]))
GRADED = [{"doc": "a", "relevance": 0}, {"doc": "b", "relevance": 2}]
ROWS = [{"query": "q", "found": hits(0.1, 0.9), "judged": GRADED}]
WIDE = pd.DataFrame({"query": ["q"], "a": [0.1], "b": [0.9], "c": [0.5]})
NUMBERS = pd.Series([1, 2], index=[7, 8])
MATRIX = sparse.csr_matrix([[0.1, 0.9]])
FAISS = (np.array([[0.9, 0.8]]), np.array([[7, 8]]))
IDS = np.array([[7, 8]])
CLICKED = pd.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [0.1, 0.9]})
ARRAY = np.array([[1, 7, 1], [1, 8, 2]])

ADVICE = {
    "a sparse frame": Advice(
        pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix([[0.9, 0, 0], [0.5, 0.8, 0]])), {0: [1], 1: [1]},
        "coo = frame.sparse.to_coo(); pd.Series(", 0.5,
    ),
    "scores by a usual name": Advice(lists(similarity=[0.1, 0.9]), RELEVANT, "score='similarity'", 1),
    "distances by a usual name": Advice(lists(dists=[0.9, 0.1]), RELEVANT, "score='dists', order='ascending'", 1),
    "scores by another name": Advice(lists(y_pred=[0.1, 0.9]), RELEVANT, "score='y_pred'", 1),
    "scores in a frame": Advice(pd.DataFrame(lists(logits=[0.1, 0.9])), RELEVANT, "score='logits'", 1),
    "scores in hits": Advice(ROWS, RELEVANT, "score='found.score'", 1, {"item": "found.id", "qrels_item": "item"}),
    "distances in hits": Advice(
        [{"query": "q", "found": hits(0.9, 0.1, name="distance")}], RELEVANT,
        "score='found.distance', order='ascending'", 1, {"item": "found.id", "qrels_item": "item"},
    ),
    "hits as items": Advice(
        ROWS, RELEVANT, "item='found.id', score='found.score'", 1, {"item": "found", "qrels_item": "item"}
    ),
    "a path to hits": Advice([{"query": "q", "hits": hits(0.9, 0.1)}], RELEVANT, "item='hits.id'", 0.5),
    "graded objects": Advice(
        ROWS, None, "qrels_item='judged.doc', relevance='judged.relevance'", 0.5,
        {"item": "found.id", "relevance": "judged"},
    ),
    "graded objects by their id": Advice(
        ROWS, None, "qrels_item='judged.doc', relevance='judged.relevance'", 0.5,
        {"item": "found.id", "relevance": "judged.doc"},
    ),
    "objects that are all relevant": Advice(
        ROWS, None, "qrels_item='judged.doc', relevance=None", 1, {"item": "found.id", "relevance": "judged.doc"}
    ),
    "graded objects in qrels": Advice(
        BOTH, ROWS, "qrels_item='judged.doc', relevance='judged.relevance'", 0.5, {"qrels_item": "judged"}
    ),
    "grades in qrels": Advice(BOTH, lists(grades=[0.0, 1.0]), "relevance='grades'", 0.5),
    "no grades in qrels": Advice(BOTH, lists(grades=[0.0, 1.0]), "relevance=None", 1),
    "hits by query": Advice({"q": hits(0.1, 0.9)}, RELEVANT, "{query: [(hit['id']", 1),
    "hits by position": Advice([hits(0.1, 0.9)], RELEVANT, "{query: [(hit['id']", 1, names={"queries": ["q"]}),
    "responses": Advice({"q": {"matches": hits(0.1, 0.9)}}, RELEVANT, "{query: [(hit['id']", 1),
    "nested responses": Advice(
        {"q": {"took": 1, "hits": {"total": 2, "hits": hits(0.1, 0.9)}}}, RELEVANT, "{query: [(hit['id']", 1
    ),
    "responses of Qdrant": Advice({"q": {"result": {"points": hits(0.1, 0.9)}}}, RELEVANT, "{query: [(hit['id']", 1),
    "ids with ranks": Advice(
        {"q": [{"_id": "a", "rank": 1}, {"_id": "b", "rank": 2}], "other": []}, RELEVANT, "{query: [hit['_id']", 0.5
    ),
    "sorted distances": Advice({"q": hits(0.1, 0.9, name="distance")}, RELEVANT, "{query: [hit['id']", 0.5),
    "unsorted distances": Advice(
        {"q": hits(0.9, 0.1, 0.5, name="distance")}, RELEVANT, "{query: [(hit['id']", 1, {"order": "ascending"}
    ),
    "judged hits": Advice(BOTH, {"q": GRADED}, "{query: [(hit['doc']", 0.5, of="qrels"),
    "objects by query": Advice({"q": POINTS}, RELEVANT, "{query: [(hit.id", 1),
    "objects by position": Advice([POINTS], RELEVANT, "{query: [(hit.id", 1, names={"queries": ["q"]}),
    "objects in responses": Advice({"q": Object(points=POINTS)}, RELEVANT, "{query: [(hit.id", 1),
    "documents with scores": Advice({"q": DOCUMENTS}, RELEVANT, "{query: [hit[0].metadata['doc_id']", 0.5),
    "documents of one query": Advice(DOCUMENTS, RELEVANT, "{query: [hit[0]", 0.5, names={"query": "q"}),
    "documents with distances": Advice({"q": UNSORTED}, RELEVANT, "{query: [(hit[0]", 1, {"order": "ascending"}),
    "documents": Advice({"q": TEXTS[:2]}, RELEVANT, "{query: [hit.metadata", 0.5),
    "graded documents": Advice(BOTH, {"q": [(TEXTS[0], 0), (TEXTS[1], 1)]}, "{query: [(hit[0]", 0.5, of="qrels"),
    "Series by item": Advice({1: NUMBERS}, {1: [8]}, "{query: series.to_dict()", 1),
    "Series of items": Advice({1: NUMBERS}, {1: [2]}, "{query: series.tolist()", 0.5),
    "pairs with a number": Advice({1: [7, 8]}, {1: [[7, 0], [8, 1]]}, "{query: [tuple(pair)", 0.5, of="qrels"),
    "pairs of items": Advice({1: [7, 8]}, {1: [[7, 9], [8, 6]]}, "{query: [item for pair", 1, of="qrels"),
    "pairs by position": Advice([[[7, 0], [8, 1]]], [[8]], "[[tuple(pair)", 1),
    "a number first": Advice({"q": [(0.1, "a"), (0.9, "b")]}, RELEVANT, "{query: [(item, number)", 1),
    "numbers in text": Advice({"q": {"a": "0.1", "b": "0.9"}}, RELEVANT, "{query: {item: float(number)", 1),
    "single items": Advice({"q": "b"}, RELEVANT, "{query: [item]", 1),
    "single numbers": Advice({1: 7}, {1: [7]}, "{query: [item]", 1),
    "single items of the qrels": Advice(BOTH, {"q": "b"}, "{query: [item]", 0.5, of="qrels"),
    "text and numbers": Advice({"q": ["a", 7]}, {"q": ["7"]}, "[item if item", 0.5, names={"items": ["a", 7]}, of="q"),
    "a column for each item": Advice(WIDE, RELEVANT, "frame.set_index(['query']).stack().dropna()", 1),
    "a column for each item, by the index": Advice(
        WIDE.set_index("query").rename_axis(None), RELEVANT, "frame.stack().dropna(), with", 1
    ),
    "a column for each rank": Advice(
        pd.DataFrame({"query": ["q"], "top1": ["a"], "top2": ["b"]}), RELEVANT, "frame.set_index('query')", 0.5,
        names={"query": "query"},
    ),
    "a field for each item": Advice(
        pl.DataFrame({"query": ["q"], "item": [{"a": 0.1, "b": 0.9}]}), RELEVANT, "{query: {item: number", 1,
        names={"rows": [("q", {"a": 0.1, "b": 0.9})]},
    ),
    "lists by position": Advice(
        [["a", "b"]], RELEVANT, "dict(zip(queries, lists))", 0.5, names={"queries": ["q"], "lists": [["a", "b"]]}
    ),
    "an array by position": Advice(
        [["a", "b"]], {"q": [1]}, "{query: dict(enumerate(row)) for query, row in zip", 1,
        names={"queries": ["q"], "array": np.array([[0.1, 0.9]])},
    ),
    "a sparse matrix": Advice(
        MATRIX, {"q": [1]}, "{query: dict(zip(rows", 1, names={"queries": ["q"], "rows": MATRIX.tocsr()}
    ),
    "an array of scores": Advice(
        np.array([[0.1, 0.9]]), {0: [1]}, "{query: dict(enumerate(row))", 1, names={"array": np.array([[0.1, 0.9]])}
    ),
    "lists that may be rows": Advice(
        ARRAY.tolist(), ARRAY.tolist(), "dict(enumerate(lists))", "qrels may|but those of",
        names={"lists": ARRAY.tolist()},
    ),
    "baskets": Advice(BOTH, {"q": [["b"], ["c", "d"]]}, "{query: [item for part", 0.5, of="qrels"),
    "alternatives by position": Advice([["a", "b"]], [[["b"], ["c", "d"]]], "[[item for part", 0.5, of="qrels"),
    "labels of an array": Advice(IDS, np.array([8]), "qrels.reshape(-1, 1)", 0.5, of="qrels"),
    "labels in a Series": Advice(IDS, pd.Series([8]), "qrels.to_numpy().reshape(-1, 1)", 0.5, of="qrels"),
    "labels in a list": Advice([[7, 8]], [8], "[[item] for item in qrels]", 0.5, of="qrels"),
    "pairs as keys": Advice({("q", "a"): 0.1, ("q", "b"): 0.9}, RELEVANT, "pd.Series(run).rename_axis(", 1),
    "lists of clicks in rows": Advice(
        CLICKED.assign(clicks=[["b"], ["b"]]), None, "frame.assign(", 1, {"relevance": "clicks"}
    ),
    "a recarray": Advice(CLICKED.to_records(index=False), RELEVANT, "pd.DataFrame(run)", 1),
    "a collection of LensKit": Advice(Object(to_df=lambda: CLICKED), RELEVANT, "run.to_df()", 1),
    "fractions as ids": Advice(CLICKED.assign(item=[1.5, 2]), {"q": [2]}, "ids='text'", 1),
    "two arrays": Advice(FAISS, {"q": [8]}, "dict(zip(queries, run[1]))", 0.5, names={"queries": ["q"]}),
    "ids first": Advice(FAISS[::-1], {"q": [8]}, "dict(zip(queries, run[0]))", 0.5, names={"queries": ["q"]}),
    "a list of two arrays": Advice([*FAISS], {"q": [8]}, "dict(zip(queries, run[1]))", 0.5, names={"queries": ["q"]}),
    "lists of Chroma": Advice(
        {"ids": [["7", "8"]], "distances": [[0.9, 0.8]], "documents": None}, {"q": ["8"]},
        "dict(zip(queries, run['ids']))", 0.5, names={"queries": ["q"]},
    ),
    "an array without names": Advice(ARRAY[0], {1: [7]}, "[tuple(row) for row", 0.5, names={"array": ARRAY}),
    "lines of items": Advice("1,10,20,30\n2,20,30,40\n", {"1": ["20"], "2": ["20"]}, "columns='query,item,...'", 0.75),
    "lines of text items": Advice("u,a,b,c\nv,b,c,d\n", {"u": ["b"], "v": ["b"]}, "columns='query,item,...'", 0.75),
    "lines of scores": Advice("1,10,0.5\n1,20,0.9\n", {"1": ["20"]}, "columns='query,item,score'", 1),
    "lines of scores, as items": Advice(
        "1,10,0.5\n1,20,0.9\n", {"1": ["20"]}, "columns='query,item,...'", "more than one list"
    ),
    "lines of items, as scores": Advice(
        "1,10,20,30\n2,20,30,40\n", {"1": ["20"], "2": ["20"]}, "columns='query,item,score,other_4'",
        "every query has one candidate",
    ),
    "objects in JSON": Advice({"q": hits(0.1, 0.9)}, RELEVANT, "{query: [(hit['id']", 1, names={"is_json": True}),
    "rows in JSON": Advice(
        [["q", "a", 0.1], ["q", "b", 0.9]], RELEVANT, "[tuple(row) for row in data]", 1, names={"is_json": True}
    ),
}  # fmt: skip


def messages(run: Any, qrels: Any, arguments: dict[str, Any]) -> str:
    """Return what `evaluate` says: its error, or its notes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "; ".join(evaluate(run, qrels, "rr", **arguments).notes)
    except RecallError as error:
        return str(error)


def given_run(advice: Advice, folder: Path) -> Any:
    """Return the run, or the path of a file that holds it."""
    if isinstance(advice.run, str) or advice.names.get("is_json"):
        text = advice.run if isinstance(advice.run, str) else json.dumps(advice.run)
        path = folder / ("run.csv" if isinstance(advice.run, str) else "run.json")
        path.write_text(text)
        return path
    return advice.run


def code_in(text: str) -> str:
    """Return the longest Python code with which a text begins, up to a bracket or the end."""
    for end in range(len(text), 0, -1):
        try:
            ast.parse(text[:end])
        except SyntaxError:
            continue
        if end == len(text) or text[end - 1] in ")]}":
            return text[:end]
    raise AssertionError(text)


def result_of(code: str, names: dict[str, Any]) -> Any:
    """Return the value of the last statement."""
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(statements, []), "advice", "exec"), names)
    return eval(compile(ast.Expression(last.value), "advice", "eval"), names)


@pytest.mark.parametrize("name", ADVICE)
def test_the_line_gives_the_right_number(name: str, tmp_path: Path) -> None:
    advice = ADVICE[name]
    run = given_run(advice, tmp_path)
    message = messages(run, advice.qrels, advice.arguments)
    assert advice.line in message
    message = message.partition("json.load(open(path)), and pass ")[2] or message
    text = message[message.index(advice.line) :]
    values = {"run": advice.run if advice.names.get("is_json") else run, "qrels": advice.qrels}
    arguments = dict(advice.arguments)
    written = re.match(r"(?:, )?(?:\w+=(?:'[^']*'|None)(?:, )?)+", text)
    if written is not None:
        found = re.findall(r"(\w+)=(?:'([^']*)'|None)", written[0])
        arguments |= {argument: value or None for argument, value in found}
    else:
        names = {"frame": run, "data": advice.run, "pd": pd, "np": np, **values, **advice.names}
        found = result_of(code_in(text), names)
        values |= {advice.of: found} if advice.of in values else {"run": {advice.of: found}}
    if isinstance(advice.right, str):
        assert re.search(advice.right, messages(values["run"], values["qrels"], arguments))
    else:
        assert evaluate(values["run"], values["qrels"], "rr", **arguments).value("rr") == advice.right


def lines_in_code() -> Iterator[str]:
    """Return the parts of messages about inputs that hold Python to write."""
    is_line = re.compile(r"\bfor \w+(, \w+)* in (\w+[.(\]})]|$)|\bframe\.|\bpd\.|\.items\(\)\}|\bjson\.load|\bdict\(")
    package = Path(recall_duckdb.__file__).parent
    for file in sorted([*(package / "reading").rglob("*.py"), *(package / "advice").rglob("*.py")]):
        tree = ast.parse(file.read_text())
        blocks = [each for each in ast.walk(tree) if isinstance(each, (ast.Module, ast.ClassDef, ast.FunctionDef))]
        docs = {id(each.body[0].value) for each in blocks if isinstance(each.body[0], ast.Expr)}
        for each in ast.walk(tree):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docs:
                yield from [each.value] if is_line.search(each.value) else []


def test_no_line_is_left_out(tmp_path: Path) -> None:
    said = [messages(given_run(each, tmp_path), each.qrels, each.arguments) for each in ADVICE.values()]
    assert [line for line in lines_in_code() if not any(line in message for message in said)] == []
