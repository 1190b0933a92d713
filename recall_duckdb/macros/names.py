"""The names in a macro: an argument replaces every name that equals it, so ours get a prefix."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.dialects import write

FILE = "recall_duckdb.sql"
SCHEMA = "recall_duckdb"
CREATE_SCHEMA = f"CREATE SCHEMA IF NOT EXISTS {SCHEMA};"
TITLE = "recall_duckdb: ranking metrics as table macros"
LIST = "recall_duckdb_macros"
"""The macro that lists our macros, by which `install` knows what it created."""
VERSION = "recall_duckdb_version"
"""The macro that returns the version of the macros."""
_ARGUMENT = "argument of the macro: "
_OUTPUT = "column of the answer: "
RELATION = "_rd_"
# Nodes that hold our names; a key of a struct or a type is not one.
_NAMED = (exp.Alias, exp.Column, exp.Join, exp.Table, exp.TableAlias)


def argument(name: str) -> exp.Column:
    """Return a column that stands for an argument of the macro."""
    return exp.Column(this=exp.to_identifier(f"{_ARGUMENT}{name}"))


def in_call(name: str) -> str:
    """Return the name of an argument as a call of the macro writes it; a reserved word needs quotes.

    >>> in_call("score"), in_call("order")
    ('score', '"order"')
    """
    return write(exp.to_identifier(name), "duckdb")


def output(name: str) -> str:
    """Return the alias that stands for a column of the answer, which gets no prefix."""
    return f"{_OUTPUT}{name}"


def add_prefixes(tree: exp.Expr) -> exp.Expr:
    """Give our columns, aliases and relations a prefix, and arguments their names, in place.

    An alias that repeats the name of its column is left out.
    """
    relations = {cte.alias for cte in tree.find_all(exp.CTE)}
    for function in list(tree.find_all(exp.Lambda)):
        own = {parameter.name for parameter in function.expressions if not parameter.name.startswith("_")}
        for node in function.find_all(exp.Identifier):
            if node.name in own:
                node.set("this", f"_each_{node.name}")
    for node in list(tree.find_all(exp.Identifier)):
        name, parent = node.name, node.parent
        if name.startswith(_ARGUMENT):
            _name_argument(node)
        elif name.startswith(_OUTPUT):
            node.replace(exp.to_identifier(name.removeprefix(_OUTPUT)))
        elif name.startswith("\\"):
            node.set("quoted", True)
        elif isinstance(parent, _NAMED) and not name.startswith("_"):
            is_ours = name in relations and (isinstance(parent, exp.Table) or _is_relation(node))
            node.set("this", f"{RELATION if is_ours else '_'}{name}")
    for alias in list(tree.find_all(exp.Alias)):
        if isinstance(alias.this, exp.Column) and not alias.this.table and alias.this.name == alias.alias:
            alias.replace(alias.this)
    return tree


def name_arguments(tree: exp.Expr) -> exp.Expr:
    """Give arguments their names, in place, and leave other names as they are."""
    for node in list(tree.find_all(exp.Identifier)):
        if node.name.startswith(_ARGUMENT):
            _name_argument(node)
    return tree


def _name_argument(node: exp.Identifier) -> None:
    name = node.name.removeprefix(_ARGUMENT)
    node.replace(exp.to_identifier(name, quoted=name == "by"))


def _is_relation(node: exp.Identifier) -> bool:
    """Return True if a name is that of a relation: an alias of one, or what qualifies a column."""
    return isinstance(node.parent, exp.TableAlias) or (isinstance(node.parent, exp.Column) and node.arg_key == "table")
