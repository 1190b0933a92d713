"""Put single faults into a copy of the code, one after another, and print those that no test of their area sees.

Run it with `make faults`. The first cases of the area run first, as in the README's command, then its other cases. A
test that sees a fault must pass without it.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import date
from itertools import accumulate
from pathlib import Path
from signal import SIGINT, SIGTERM
from typing import NamedTuple

from folders import ROOT
from sqlglot import tokenize

# The tests of a file, by the longest prefix of its path. Generated files and the modules that write them have none.
AREAS = {
    "recall_duckdb/": "evaluation connections errors reporting command_line",
    "recall_duckdb/answering/": "answering connections",
    **dict.fromkeys(["recall_duckdb/macros/", "recall_duckdb/sqlmesh.py"], ""),
    "recall_duckdb/cli/": "command_line errors",
    **dict.fromkeys(["recall_duckdb/comparison/", "sql/6_comparison/"], "comparison reporting"),
    "recall_duckdb/compose/": "compose evaluation",
    "recall_duckdb/definitions/": "definitions question",
    "recall_duckdb/dialects/": "dialects compose",
    "recall_duckdb/engines/": "connections errors",
    **dict.fromkeys(["recall_duckdb/advice/", "recall_duckdb/reading/"], "reading errors"),
    "recall_duckdb/question/": "question errors",
    "recall_duckdb/reporting/": "reporting comparison/test_power.py",
    "sql/1_inputs/": "reading evaluation",
    **dict.fromkeys(["sql/2_ranking/", "sql/3_judging/", "sql/4_metrics/", "sql/5_summary/"], "question evaluation"),
    "sql/checks/": "evaluation reading errors",
    "sql/lists/": "answering",
    "sql/one_pass/": "connections dialects",
    **dict.fromkeys(["sql/7_agreement/", "sql/functions.sql"], "evaluation"),
}
CASES = {"few": "first cases", "rest": "other cases"}  # values of pytest's --cases, in the order of the runs
SECONDS = 1800  # a fault whose tests take longer hangs, and counts as seen
FLIPPED: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    **{ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.GtE], ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt, ast.LtE]},
    **{ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.In: [ast.NotIn], ast.NotIn: [ast.In]},
    **{ast.Is: [ast.IsNot], ast.IsNot: [ast.Is]},
}
SQL_FLIPPED = {
    **{"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "=": ["<>"], "<>": ["="]},
    **{"ASC": ["DESC"], "DESC": ["ASC"]},
}
SYMMETRIC = ("isinstance", "min", "max")  # swapped arguments mean the same, or end every run
ENDS = {"AND", "OR", "THEN", "WHEN", "ELSE", "GROUP BY", "ORDER BY", "HAVING", "QUALIFY", "UNION", "AS", "LIMIT", ","}


class Fault(NamedTuple):
    """A part of a text, and what replaces it."""

    start: int
    end: int
    new: str

    def put_into(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


def moved(number: str) -> str:
    """Return a number whose last digit is one higher, or lower after 9.

    >>> moved("20"), moved("0.05"), moved("0.9")
    ('21', '0.06', '0.8')
    """
    return number[:-1] + ("8" if number[-1] == "9" else str(int(number[-1]) + 1))


def of_python(text: str) -> Iterator[Fault]:
    """Yield the faults of a module: flipped comparisons, dropped conditions, swapped arguments, moved constants.

    >>> text = "a = [f(y, 2) for y in z if x < 3 and not y]"
    >>> for fault in of_python(text):
    ...     print(fault.put_into(text))
    a = ([f(y, 2) for y in z])
    a = [(f(2, y)) for y in z if x < 3 and not y]
    a = [f(y, 3) for y in z if x < 3 and not y]
    a = [f(y, 2) for y in z if (not y)]
    a = [f(y, 2) for y in z if (x < 3)]
    a = [f(y, 2) for y in z if (x <= 3) and not y]
    a = [f(y, 2) for y in z if (x > 3) and not y]
    a = [f(y, 2) for y in z if x < 4 and not y]
    a = [f(y, 2) for y in z if x < 3 and (y)]
    """
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for node in _nodes(ast.parse(text)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = (
            starts[line - 1] + len(lines[line - 1].encode()[:byte].decode())
            for line, byte in ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
        )
        for new in map(ast.unparse, _changed(node)):
            yield Fault(start, end, new if isinstance(node, ast.Constant) else f"({new})")


def _nodes(node: ast.AST) -> Iterator[ast.expr]:
    """Yield expressions, but not types, decorators and what is in f-strings, whose positions Python 3.11 lacks."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
        return
    if isinstance(node, ast.expr):
        yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes(child)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression with each single fault."""
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            yield ast.Constant(not value if isinstance(value, bool) else ast.literal_eval(moved(repr(value))))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Compare(left=left, ops=ops, comparators=operands):
            for place, op in enumerate(ops):
                for other in FLIPPED[type(op)]:
                    yield ast.Compare(left, [*ops[:place], other(), *ops[place + 1 :]], operands)
        case ast.BoolOp(op=op, values=values):
            yield from (ast.BoolOp(op, rest) for rest in _without_one(values))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            new = deepcopy(node)
            for generator in new.generators:
                kept = generator.ifs
                for rest in _without_one(kept):
                    generator.ifs = rest
                    yield new
                generator.ifs = kept
        case ast.Call(func=func, args=[first, second, *others], keywords=keywords):
            if ast.unparse(func) not in SYMMETRIC:
                yield ast.Call(func, [second, first, *others], keywords)


def _without_one(parts: list[ast.expr]) -> list[list[ast.expr]]:
    """Return the parts without each one of them."""
    return [[*parts[:place], *parts[place + 1 :]] for place in range(len(parts))]


def of_sql(text: str) -> Iterator[Fault]:
    """Yield the faults of a SQL file: those of a module, and flipped orders.

    >>> text = "SELECT a FROM b WHERE c < 5 AND f(d, e) ORDER BY g ASC"
    >>> for fault in of_sql(text):
    ...     print(fault.put_into(text).removeprefix("SELECT "))
    a FROM b WHERE c <= 5 AND f(d, e) ORDER BY g ASC
    a FROM b WHERE c > 5 AND f(d, e) ORDER BY g ASC
    a FROM b WHERE c < 6 AND f(d, e) ORDER BY g ASC
    a FROM b WHERE c < 5 ORDER BY g ASC
    a FROM b WHERE c < 5 AND f(e, d) ORDER BY g ASC
    a FROM b WHERE c < 5 AND f(d, e) ORDER BY g DESC
    """
    tokens = [*tokenize(text, "duckdb")]
    words = [*(token.text.upper() for token in tokens), ")"]
    for place, (token, word) in enumerate(zip(tokens, words, strict=False)):
        for new in SQL_FLIPPED.get(word, []):
            yield Fault(token.start, token.end + 1, new)
        if token.token_type.name == "NUMBER" and words[place + 1] != "AS":
            yield Fault(token.start, token.end + 1, moved(token.text))
        if word in ("AND", "OR") and words[place - 2] != "BETWEEN":
            yield Fault(tokens[place - 1].end + 1, tokens[_end(words, place + 1) - 1].end + 1, "")
        if word == "(" and token.start == tokens[place - 1].end + 1:
            comma = _end(words, place + 1)
            after = _end(words, comma + 1) if words[comma] == "," else comma
            if after > comma:
                first, second = (
                    text[tokens[low].start : tokens[high - 1].end + 1]
                    for low, high in ((place + 1, comma), (comma + 1, after))
                )
                yield Fault(tokens[place + 1].start, tokens[after - 1].end + 1, f"{second}, {first}")


def _end(words: Sequence[str], place: int) -> int:
    """Return the place after the operand or argument that begins at this place."""
    depth = 0
    while depth or words[place] not in (*ENDS, ")", "END"):
        depth += (words[place] in ("(", "CASE")) - (words[place] in (")", "END"))
        place += 1
    return place


def area(path: str) -> list[str]:
    """Return the folders with the tests of a file, after the examples in it and the test modules with its name.

    >>> area("recall_duckdb/cli/commands.py")
    ['recall_duckdb/cli/commands.py', 'tests/command_line/test_commands.py', 'tests/command_line', 'tests/errors']
    >>> area("README.md")
    []
    """
    prefix = max(filter(path.startswith, AREAS), key=len, default=None)
    folders = [f"tests/{name}" for name in AREAS[prefix].split()] if prefix else []
    named = [str(found.relative_to(ROOT)) for found in ROOT.glob(f"tests/*/test_*{Path(path).stem}*.py")]
    return [*([path] if path.endswith(".py") else []), *named, *folders] if folders else []


def faults_of(folder: Path, paths: Sequence[str]) -> list[tuple[str, Fault]]:
    """Return the faults of files that have tests."""
    makers = {".py": of_python, ".sql": of_sql}
    own = [path for path in paths if Path(path).suffix in makers and (folder / path).exists() and area(path)]
    return [(path, fault) for path in own for fault in makers[Path(path).suffix]((folder / path).read_text("utf-8"))]


def passes(folder: Path, tests: Sequence[str], *options: str) -> bool:
    """Return True if tests pass in a folder; a run that hangs or cannot be collected does not."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", *options, *tests]
    is_kept = "--collect-only" in options  # bytecode, but not that of a fault
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "" if is_kept else "1"}
    try:
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    if run.returncode in (-SIGINT, -SIGTERM):
        raise KeyboardInterrupt
    return run.returncode in (0, 5)  # 5: no test was chosen


def who_sees(folder: Path, path: str, fault: Fault) -> str:
    """Return which cases see a fault."""
    text, tests = (folder / path).read_text("utf-8"), area(path)
    for cases, name in CASES.items():
        (folder / path).write_text(fault.put_into(text), "utf-8")
        is_seen = not passes(folder, tests, "--cache-clear", "--cases", cases)
        (folder / path).write_text(text, "utf-8")
        if is_seen:
            again = passes(folder, tests, "--cases", "all", "--last-failed", "--last-failed-no-failures", "none")
            return name if again else "unclear: a test fails without the fault too"
    return "NOT SEEN"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", help="draw from the files that differ from this commit; default: from all files")
    parser.add_argument("--most", type=int, default=40, help="how many faults (default: 40)")
    parser.add_argument("--seed", type=int, default=date.today().toordinal(), help="another draw (default: the day)")
    options = parser.parse_args()
    changed = ["diff", "--name-only", options.base] if options.base else ["ls-files"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        git("worktree", "add", "--detach", str(copy), git("stash", "create").strip() or "HEAD")
        try:
            report(copy, git(*changed).splitlines(), options.most, options.seed)
        finally:
            git("worktree", "remove", "--force", str(copy))


def report(copy: Path, paths: Sequence[str], most: int, seed: int) -> None:
    """Print what sees each fault of a sample, and how many are seen."""
    known = faults_of(copy, paths)
    drawn = random.Random(seed).sample(known, min(most, len(known)))
    print(f"{len(drawn)} of {len(known)} faults, seed {seed}")
    tests = sorted({f"tests/{name}" for names in AREAS.values() for name in names.split()})
    assert passes(copy, tests, "--collect-only", "--cases", "rest"), (
        "pytest does not run here: each fault would be seen"
    )
    seen = Counter[str]()
    for path, fault in drawn:
        name, text = who_sees(copy, path, fault), (copy / path).read_text("utf-8")
        seen[name] += 1
        at = f"{path}:{text.count(chr(10), 0, fault.start) + 1}"
        print(f"{name}: {at}: {text[fault.start : fault.end]!r} -> {fault.new!r}", flush=True)
    print(", ".join(f"{name}: {count / seen.total():.0%}" for name, count in seen.most_common()))


if __name__ == "__main__":
    main()
