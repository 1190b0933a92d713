"""Writes a template as Jinja: the text of its statement in a dialect, with what a question decides left open.

What the wrapper fills in when it composes a statement, a macro of dbt fills in when it is rendered: a parameter is an
expression, what a choice decides is in an `if`, and what is repeated for a stand-in column is in a `for`. In them `q`
is the question, and `m` one of the metrics asked for.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlglot import exp

from recall_duckdb import trees
from recall_duckdb.dialects import rewrite, write
from recall_duckdb.templates import METRICS, Template
from recall_duckdb.trees import Value

Tests = Mapping[str, tuple[tuple[Value, str], ...]]
"""The values that are told apart of a parameter, each with the test of Jinja that it has this value."""


def _among(place: str, *values: str) -> tuple[tuple[Value, str], ...]:
    return tuple((value, f"{place} == '{value}'") for value in values)


def _given(place: str, value: Value) -> tuple[tuple[Value, str], ...]:
    return (None, f"{place} is none"), (value, f"{place} is not none")


def _flag(place: str) -> tuple[tuple[Value, str], ...]:
    return (True, place), (False, f"not {place}")


# Numbers that stand in a statement for those that are known when a macro is rendered, and Jinja's name for each.
_NUMBERS: dict[str, tuple[Value, str]] = {
    "k": (910001, "m.k"),
    "depth": (910002, "q.depth"),
    "metric_no": (910003, "m.number"),
    "threshold": (910004.5, "q.judging.threshold"),
    "min_score": (910005.5, "q.min_score"),
    "p": (910006.5, "m.p"),
    "beta": (910007.5, "m.beta"),
    "recall": (910008.5, "m.recall"),
    "max_grade": (910009.5, "m.max_grade"),
}
_OPTIONAL = ("depth", "min_score", "threshold", "k")
_TESTS: Tests = {
    "models": _flag("q.models"),
    "exclude": _flag("q.has_exclude"),
    "items": _flag("q.has_items"),
    "sliced": _flag("q.slices"),
    "weighted": _flag("q.has_weights"),
    "semantics": _among("q.semantics", "trec_eval_9", "trec_eval_10"),
    "nulls": (("drop", "q.nulls == 'drop'"), ("error", "q.nulls != 'drop'")),  # unchecked, a NULL is ranked last
    **{name: _given(_NUMBERS[name][1], _NUMBERS[name][0]) for name in _OPTIONAL},
    "gain": _among("q.judging.gain", "exponential", "binary", "linear"),
    "no_relevant": _among("q.no_relevant", "skip", "zero"),
    "missing": _among("q.missing", "skip", "zero"),
    "empty": _among("m.empty", "skip", "zero"),
    "mean": _among("m.mean", "whole", "sum", "geometric", "arithmetic"),
}
_ALWAYS = {name: value for name, (value, _) in _NUMBERS.items() if name not in _OPTIONAL}
# Joins with what a question may lack, and the parameter that says so.
_JOINED = {"excluded": "exclude", "listed": "items", "slices": "sliced", "weighted": "weighted"}
# Joins with what there may be several of, and Jinja's name for each.
_SEVERAL = {
    "others_measured": ("for judging in q.judgings[1:]", "judging.measured"),
    "metric_of_queries": ("for m in q.metrics if not m.plain and not m.whole_run", "m.column"),
    "metric_of_runs": ("for m in q.metrics if not m.plain and m.whole_run", "m.column"),
}


class Loop(NamedTuple):
    """What is repeated for a stand-in column: Jinja's words for it, and what the columns are called in it."""

    head: str
    columns: Mapping[str, str]
    aliases: Mapping[str, str] = {}
    may_be_empty: bool = False

    def around(self, text: str) -> str:
        """A text, as often as it is needed."""
        return f"{{% {self.head} %}}{text}{{% end{self.head.split()[0]} %}}"


_METRIC = {
    "raw": "{{ m.column }}_raw",
    "relevant_items": "{{ q.judgings[m.judging].relevant_items }}",
    "value": "{{ m.column }}",
    "value_mean": "{{ m.column }}_mean",
    "value_queries": "{{ m.column }}_queries",
}
_LOOPS = {
    "model": Loop("if q.models", {}, may_be_empty=True),
    "query": Loop("for query in q.queries", {"query": "{{ query.column }}"}),
    "query_weight": Loop("if q.has_weights", {}, may_be_empty=True),
    **dict.fromkeys(
        ("slice", "level_slice"),
        Loop(
            "for slice in q.slices",
            {"slice": "{{ slice.column }}", "level_slice": "level_{{ slice.column }}"},
            may_be_empty=True,
        ),
    ),
    **dict.fromkeys(("raw", "value", "value_mean", "value_queries"), Loop("for m in q.metrics", _METRIC)),
    **{
        name: Loop(
            f"for {name} in source.{name}s",
            {name: f"{{{{ {name}.expression }}}}"},
            {name: f"{{{{ {name}.column }}}}"},
            may_be_empty=name != "name",
        )
        for name in ("name", "number", "extra")
    },
}
# Where a relation has other loops than the others.
_OWN_LOOPS = {
    "qrels": {
        "slice": Loop("for slice in q.qrels_slices", {"slice": "{{ slice.column }}"}, may_be_empty=True),
    },
    "measured": {
        "relevant": Loop("for judging in [q.judging]", {}, {"relevant_items": "{{ judging.relevant_items }}"}),
        "raw": Loop(
            "for m in q.metrics if m.plain and m.judging == q.judging.number",
            {"raw": "{{ recall_duckdb.metric(q, m) | trim | indent(2) }}"},
            {"raw": "{{ m.column }}_raw"},
            may_be_empty=True,
        ),
    },
    "per_query": {
        "relevant_items": Loop(
            "for judging in q.judgings",
            {"relevant_items": "{{ judging.relevant_items }}"},
            {"relevant": "{{ judging.relevant }}"},
        )
    },
    "means": {
        "model": Loop(
            "for model in ['model' if q.models else q.only_model]", {"model": "{{ model }}"}, {"model": "model"}
        ),
        "level_slice": Loop(
            "for slice in q.slices",
            {"level_slice": "level_{{ slice.column }}"},
            {"slice": "{{ slice.name }}"},
            may_be_empty=True,
        ),
    },
}


class _UndecidedError(Exception):
    """A list that may be empty or not, which changes the clause around it."""


class _Form:
    """Writes a statement whose clauses are settled, for one dialect: markers stand for what Jinja decides."""

    def __init__(self, dialect: str, tests: Tests, loops: Mapping[str, Loop], settled: Mapping[str, Value]) -> None:
        self._dialect, self._tests, self._loops, self._settled = dialect, tests, loops, settled
        self._parts: list[tuple[str, Callable[[re.Match[str]], str]]] = []

    def statement(self, tree: exp.Select) -> str:
        """The text of a statement."""
        self._mark_cutoffs(tree)
        self._mark_choices(tree)
        tree = self._rewritten(tree)
        self._mark_loops(tree)
        self._mark_joins(tree)
        self._mark_tables(tree)
        return self._filled(write(tree, self._dialect, pretty=True))

    def expression(self, tree: exp.Expr) -> str:
        """The text of an expression, in which nothing is repeated; stand-ins of metrics are those of one of them."""
        select = exp.select(tree)
        self._mark_cutoffs(select)
        select = self._rewritten(select)
        for column in list(select.find_all(exp.Column)):
            if column.name in _METRIC:
                column.this.set("this", self._marker(_METRIC[column.name]))
        return self._filled(_alone(select, self._dialect))

    def _rewritten(self, tree: exp.Select) -> exp.Select:
        found = rewrite(tree, self._dialect)
        assert isinstance(found, exp.Select)
        return found

    def _marker(self, text: str | Callable[[re.Match[str]], str], pattern: str = "{}") -> str:
        name = f"jinja_{len(self._parts)}_"
        part = text if callable(text) else lambda match: _indented(text, match)
        self._parts.append((pattern.replace("{}", name), part))
        return name

    def _filled(self, text: str) -> str:
        for pattern, part in reversed(self._parts):
            text, _ = re.subn(pattern, part, text)
        for sentinel, place in _NUMBERS.values():
            text = text.replace(repr(sentinel), f"{{{{ {place} }}}}")
        assert "91000" not in text, "a number that stands for another became part of a third"
        # What most often differs between adapters, where nothing else does.
        return text.replace(f"AS {double(self._dialect)})", "AS {{ recall_duckdb.type_double() }})")

    def _mark_cutoffs(self, tree: exp.Select) -> None:
        """`coalesce($k, rank)` is what it comes to, and no reason to write a statement twice."""
        for node in _cutoffs(tree):
            whole = write(node.expressions[0], self._dialect)
            node.replace(exp.column(self._marker(f"{{{{ m.k or '{whole}' }}}}")))

    def _mark_choices(self, tree: exp.Select) -> None:
        for alias in list(_choices(tree)):
            names = [name for name in self._tests if name in _decides(alias)]
            value = alias.this

            def form(settled: Mapping[str, Value], value: exp.Expr = value) -> str:
                held = exp.select(value.copy())
                trees.bind(held, settled)
                return _Form(self._dialect, self._tests, {}, {}).expression(held.expressions[0])

            alias.set("this", exp.column(self._marker(_decided(names, self._tests, form))))

    def _mark_loops(self, tree: exp.Select) -> None:
        elements: dict[int, tuple[exp.Expr, Loop]] = {}
        for node in list(tree.find_all(exp.Column, exp.Identifier, exp.Alias)):
            if isinstance(node, exp.Alias):  # its columns are in what a marker stands for
                name, stands_in = node.alias, node.this.name.startswith("jinja_")
            else:  # a join key is a bare identifier
                name, stands_in = node.name, isinstance(node, exp.Column) or isinstance(node.parent, exp.Join)
            if stands_in and name in self._loops:
                element = node if isinstance(node, exp.Alias) else trees.element(node)
                elements.setdefault(id(element), (element, self._loops[name]))
        held = {key: loop.may_be_empty for key, (_, loop) in elements.items()}
        for element, loop in elements.values():
            self._mark_loop(element, loop, held)

    def _mark_loop(self, element: exp.Expr, loop: Loop, held: dict[int, bool]) -> None:
        """Put a marker in the place of what is repeated; `held` says which elements may be repeated no times."""
        copy = self._named(element.copy(), loop)
        if isinstance(copy, exp.If):
            self._mark_branch(element, copy, loop)
            return
        text = copy.name if isinstance(copy, exp.Identifier) else _alone(exp.select(copy), self._dialect)
        if isinstance(element.parent, trees.CONDITIONS):
            self._mark_condition(element, text, loop)
        else:
            self._mark_item(element, text, loop, held)

    def _mark_branch(self, element: exp.Expr, copy: exp.If, loop: Loop) -> None:
        text = _alone(exp.select(exp.Case(ifs=[copy])), self._dialect)
        text = " ".join(text.removeprefix("CASE").removesuffix("END").split())
        name = self._marker(lambda match: loop.around(text + match[1]), r"WHEN {}\s+THEN {}(\s+)")
        element.replace(exp.If(this=exp.column(name), true=exp.column(name)))

    def _mark_condition(self, element: exp.Expr, text: str, loop: Loop) -> None:
        if isinstance(element.parent, exp.And) and loop.may_be_empty:  # it stands behind one that is there
            name = self._marker(lambda match: loop.around(match[1] + text), r"(\s+AND ){}")
        else:
            name = self._marker(loop.around(text + "{{ ' AND ' if not loop.last }}"))
        element.replace(exp.column(name))

    def _mark_item(self, element: exp.Expr, text: str, loop: Loop, held: dict[int, bool]) -> None:
        """An element of a list; raises `_UndecidedError` where nothing may be left of the list."""
        parent, key = element.parent, element.arg_key
        assert parent is not None
        assert key is not None
        items = parent.args[key]
        stays = [not held.get(id(item), False) for item in items]
        place = next(number for number, item in enumerate(items) if item is element)
        if True not in stays:
            raise _UndecidedError
        # The commas before the first element that is there whatever is asked go with those before it.
        if place < stays.index(True):
            name = self._marker(lambda match: loop.around(f"{_indented(text, match)},{match[1]}"), r"{},(\s+)")
        elif place > stays.index(True):
            name = self._marker(lambda match: loop.around(f",{match[1]}{_indented(text, match)}"), r",(\s+){}")
        else:
            name = self._marker(loop.around(text + "{{ ', ' if not loop.last }}"))
        marker = exp.to_identifier(name) if isinstance(element, exp.Identifier) else exp.column(name)
        held[id(marker)] = loop.may_be_empty
        parent.set(key, [marker if item is element else item for item in items])

    def _named(self, element: exp.Expr, loop: Loop) -> exp.Expr:
        """An element with the names that its columns have in a loop."""
        if isinstance(element, exp.Alias):
            own = {**loop.columns, **loop.aliases}.get(element.alias)
            if own is not None:
                element.set("alias", exp.to_identifier(self._marker(own)))
        if isinstance(element, exp.Identifier):
            return exp.to_identifier(self._marker(loop.columns.get(element.name, element.name)))
        for column in list(element.find_all(exp.Column)):
            if column.name in loop.columns:
                column.this.set("this", self._marker(loop.columns[column.name]))
        return element

    def _mark_joins(self, tree: exp.Select) -> None:
        for join in list(tree.find_all(exp.Join)):
            if join.this.name in _SEVERAL:
                self._mark_join(join, Loop(_SEVERAL[join.this.name][0], {}))
            name = _JOINED.get(join.this.name)
            if name is not None and name not in self._settled:
                self._mark_join(join, Loop(f"if {self._tests[name][0][1]}", {}))
            elif name is not None and not self._settled[name]:
                join.pop()

    def _mark_join(self, join: exp.Join, loop: Loop) -> None:
        self._mark_tables(join)
        text = write(join.copy(), self._dialect, pretty=True).strip()
        marker = self._marker(lambda match: loop.around(match[1] + text), r"(\s+)CROSS JOIN {}")
        join.replace(exp.Join(this=exp.to_table(marker), kind="CROSS"))

    def _mark_tables(self, tree: exp.Expr) -> None:
        own = {cte.alias for cte in tree.find_all(exp.CTE)}
        for table in tree.find_all(exp.Table):
            if table.name not in own and not table.name.startswith("jinja_"):
                table.set("this", exp.to_identifier(self._marker(_read(table.name))))


def double(dialect: str) -> str:
    """What a dialect calls the type DOUBLE."""
    return write(exp.cast(exp.null(), "DOUBLE"), dialect).removeprefix("CAST(NULL AS ").removesuffix(")")


def _read(relation: str) -> str:
    if relation == "source":
        return "{{ source.relation }}"
    place = _SEVERAL[relation][1] if relation in _SEVERAL else f"'{relation}'"
    return f"{{{{ recall_duckdb.read(q, {place}) }}}}"


def _choices(tree: exp.Select) -> Iterable[exp.Alias]:
    """The columns whose expression holds what is to be chosen, and decides nothing beyond itself."""
    for alias in tree.find_all(exp.Alias):
        if isinstance(alias.parent, exp.Select) and _decides(alias) and not alias.find(exp.Window):
            yield alias


def _alone(select: exp.Select, dialect: str) -> str:
    """The text of the only column of a SELECT."""
    return textwrap.dedent(write(select, dialect, pretty=True).removeprefix("SELECT")).strip()


def _indented(text: str, match: re.Match[str]) -> str:
    """A text of several lines, as deep as the line that it is put into."""
    line = match.string[: match.start()].rpartition("\n")[2]
    depth = len(match[1].rpartition("\n")[2]) if match.re.groups and "\n" in match[1] else 0
    return text.replace("\n", "\n" + " " * max(depth, len(line) - len(line.lstrip())))


def _decided(
    names: Sequence[str],
    tests: Tests,
    form: Callable[[Mapping[str, Value]], str],
    settled: Mapping[str, Value] | None = None,
) -> str:
    """The forms that a text has for every value of the parameters named, those that are the same in one."""
    if not names:
        return form(settled or {})
    forms: dict[str, list[str]] = {}
    for value, test in tests[names[0]]:
        text = _decided(names[1:], tests, form, {**(settled or {}), names[0]: value})
        forms.setdefault(text, []).append(test)
    if len(forms) == 1:
        return next(iter(forms))
    return _branched([(" or ".join(held), text) for text, held in forms.items()])


def _branched(forms: Sequence[tuple[str, str]]) -> str:
    """Texts of which a test chooses one; the lines that they begin or end with alike stand once."""
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
    """Jinja's words for texts of which a test chooses one; an empty one needs none."""
    forms = sorted(forms, key=lambda form: not form[1])
    written = ""
    for number, (test, text) in enumerate(forms):
        if number == len(forms) - 1:
            written += f"{{%{trim} else %}}{text}{end}" if text else ""
        else:
            written += f"{{%{trim} {'elif' if number else 'if'} {test} %}}{text}{end}"
    return f"{written}{{%{trim} endif %}}"


def _alike(texts: Sequence[Sequence[str]]) -> int:
    """With how many lines all texts begin, cut where no block of Jinja is open."""
    found = 0
    for number, lines in enumerate(zip(*texts, strict=False), start=1):
        if len(set(lines)) > 1:
            break
        held = "\n".join(texts[0][:number])
        if len(re.findall(r"{%-? *(?:for|if) ", held)) == len(re.findall(r"{%-? *end(?:for|if) ", held)):
            found = number
    return found


def _decides(tree: exp.Expr) -> set[str]:
    """The parameters of a tree that decide what is written, and are not only written themselves."""
    cutoffs = [id(node.this) for node in _cutoffs(tree)]
    return {str(node.this) for node in tree.find_all(exp.Placeholder) if id(node) not in cutoffs}


def _cutoffs(tree: exp.Expr) -> list[exp.Coalesce]:
    """Where a tree says `coalesce($k, …)`."""
    found = [node for node in tree.find_all(exp.Coalesce) if isinstance(node.this, exp.Placeholder)]
    return [node for node in found if str(node.this.this) == "k"]


def _body(template: Template, dialect: str, tree: exp.Select) -> str:
    """The text of a statement, all its forms in one."""
    tests = {**_TESTS, **_option_tests(template)}
    trees.bind(tree, _ALWAYS)
    inline = {name for alias in _choices(tree) for name in _decides(alias)}
    outside = tree.copy()
    for alias in list(_choices(outside)):
        alias.set("this", exp.null())
    inline -= _decides(outside)
    names = [name for name in tests if name in _decides(tree) and name not in inline]

    def form(settled: Mapping[str, Value]) -> str:
        own = tree.copy()
        trees.bind(own, {name: value for name, value in settled.items() if name != "models"})
        loops = {**_LOOPS, **_OWN_LOOPS.get(template.name, {})}
        if "models" in settled:
            loops.pop("model")
            if not settled["models"]:
                trees.repeat(own, {"model": []})
        return _Form(dialect, tests, loops, settled).statement(own)

    try:
        return _decided(names, tests, form)
    except _UndecidedError:
        return _decided(["models", *names], tests, form)


def _option_tests(template: Template) -> Tests:
    return {
        option.name: _among(f"m.{option.name}", *option.choices)
        for option in template.options.values()
        if option.choices and (option.name not in _TESTS or template.stage == METRICS)
    }


def relation(template: Template, dialect: str) -> str:
    """The text of a relation of the pipeline."""
    tree = template.tree()
    if template.name == "measured":
        tree.expressions[-1].set("this", exp.column("raw"))
    if template.name == "per_query":
        tree.join("others_measured", using=["model", "query"], join_type="inner", copy=False)
        tree.join("metric_of_queries", using=["model", "query"], join_type="left", copy=False)
        tree.join("metric_of_runs", using=["model"], join_type="left", copy=False)
    if template.name == "means":  # a table or view has no order
        tree.set("order", None)
    return _body(template, dialect, tree)


def metric(template: Template, dialect: str) -> str:
    """The text of a metric: the column of one that is a plain aggregate, or a relation of its own."""
    tree = template.tree()
    if not template.is_plain:
        tree.expressions[-1].set("alias", exp.to_identifier("metric_raw"))
        return _body(template, dialect, tree).replace("metric_raw", _METRIC["raw"])
    tests = {**_TESTS, **_option_tests(template)}
    trees.bind(tree, _ALWAYS)
    names = [name for name in tests if name in _decides(tree)]

    def form(settled: Mapping[str, Value]) -> str:
        own = tree.copy()
        trees.bind(own, settled)
        return _Form(dialect, tests, {}, settled).expression(own.expressions[-1].this)

    return _decided(names, tests, form)


def metric_row(dialect: str) -> str:
    """A metric as one of the rows of `metrics`."""
    columns = [exp.alias_(exp.Placeholder(this=name), name) for name in ("metric_no", "metric")]
    tree = exp.select(*columns, exp.alias_(exp.cast(exp.Placeholder(this="k"), "BIGINT"), "k"))
    trees.bind(tree, {**_ALWAYS, "metric": "metric_name"})

    def form(settled: Mapping[str, Value]) -> str:
        own = tree.copy()
        trees.bind(own, settled)
        return _Form(dialect, _TESTS, {}, settled).statement(own)

    return _decided(["k"], _TESTS, form).replace("metric_name", "{{ m.name }}")
