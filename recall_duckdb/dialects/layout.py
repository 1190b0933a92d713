"""Lays out a statement for readers: short clauses on one line, which sqlglot breaks into several."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp, generator
from sqlglot.dialects.dialect import Dialect

from recall_duckdb.definitions import trees

if TYPE_CHECKING:
    from sqlglot.generator import Generator
else:
    Generator = object  # `short_lines` adds the generator of a dialect

WIDTH = 111  # of a clause without its indent
_WIDTH_OF_EXPRESSION = 115
_LONGEST = 115
_LONGEST_QUOTIENT, _LONGEST_PART = 91, 100


@lru_cache
def short_lines(dialect: str | type[Dialect]) -> Any:
    """Return a function that makes the generator of a dialect that keeps short clauses on one line.

    If sqlglot is compiled (`sqlglot[c]`), its generators have no subclasses, and it is sqlglot's own.
    """
    base = Dialect.get_or_raise("trino" if dialect == "athena" else dialect)  # sqlglot's Athena hands over to Trino
    kind: Any = type(base.generator())
    if str(generator.__file__).endswith(".py"):
        kind = type("ShortLines", (_ShortLines, kind), {})
    return lambda **options: kind(dialect=base, pretty=True, max_text_width=_WIDTH_OF_EXPRESSION, **options)


class _ShortLines(Generator):
    """Overrides of a generator of sqlglot. All of them change white space alone."""

    _on_this_line = False

    def expressions(self, expression: Any = None, key: Any = None, *args: Any, **options: Any) -> str:
        """Write the columns of a SELECT on one line if they fit, and else names and numbers next to each other."""
        if (
            not isinstance(expression, exp.Select)
            or key is not None
            or any(each.comments for each in expression.expressions)
        ):
            return super().expressions(expression, key, *args, **options)
        written = [self.sql(each) for each in expression.expressions]
        line = ", ".join(written)
        if "\n" not in line and len(line) <= WIDTH:
            self._on_this_line = True
            return line
        lines: list[str] = []
        was_short = False
        for each, text in zip(expression.expressions, written, strict=True):
            is_short = _is_short(each.unalias())
            if is_short and was_short and len(f"{lines[-1]}, {text}") <= WIDTH:
                lines[-1] = f"{lines[-1]}, {text}"
            else:
                lines.append(text)
            was_short = is_short
        self._on_this_line = _is_short(expression.expressions[0].unalias())
        return self.indent(",\n".join(lines), skip_first=self._on_this_line)

    def cte_sql(self, expression: exp.CTE) -> str:
        """Write what a relation is in the line of its name."""
        said, expression.this.comments = expression.this.comments, None
        text: str = super().cte_sql(expression)
        if not said:
            return text
        first = said[-1].strip().split(". ")[0].removesuffix(".")
        return text.replace("(\n", f"(  /* {first} */\n", 1)

    def groupingsets_sql(self, expression: exp.GroupingSets) -> str:
        return f"GROUPING SETS ({', '.join(self.sql(each) for each in expression.expressions)})"

    def subquery_sql(self, expression: exp.Subquery, sep: str = " AS ") -> str:
        text: str = super().subquery_sql(expression, sep)
        line = " ".join(text.split()).replace("( ", "(").replace(" )", ")")
        is_short = text.count("\n") <= 4 and len(line) <= WIDTH // 2
        return line if is_short and not _has_other_blanks(expression) else text

    def not_sql(self, expression: exp.Not) -> str:
        test = expression.this
        if isinstance(test, exp.Is) and isinstance(test.expression, exp.Null):
            return f"{self.sql(test, 'this')} IS NOT NULL"
        return super().not_sql(expression)

    def pivot_sql(self, expression: exp.Pivot) -> str:
        """Write the columns of our UNPIVOT in a line of their own, or each in one."""
        text, head = super().pivot_sql(expression), "UNPIVOT INCLUDE NULLS (metric_value FOR metric IN"
        if expression.alias or not " ".join(text.split()).startswith(head):
            return text
        names = [self.sql(each) for each in expression.args["fields"][0].expressions]
        line = ", ".join(names) if len(", ".join(names)) <= WIDTH else ",\n ".join(names)
        return f"{self.seg(head)}\n{self.indent(f'({line}))', skip_first=False)}"

    def sep(self, sep: str = " ") -> str:
        """Return the white space after SELECT."""
        if self._on_this_line:
            self._on_this_line = False
            return sep
        return super().sep(sep)

    def seg(self, sql: str, sep: str = " ") -> str:
        """Write USING and ON in the line of their JOIN."""
        return super().seg(sql, sep) if sql.strip() else " "

    def op_expressions(self, op: str, expression: Any, flat: bool = False) -> str:
        """Write GROUP BY and ORDER BY on one line if they fit."""
        line = super().expressions(expression, flat=True)
        if not flat and "\n" not in line and len(line) <= WIDTH:
            return f"{self.seg(op)} {line}"
        return super().op_expressions(op, expression, flat)

    def case_sql(self, expression: exp.Case) -> str:
        """Write each branch of a long CASE on its own line."""
        this = self.sql(expression, "this")
        parts = [f"CASE {this}" if this else "CASE"]
        for branch in expression.args["ifs"]:
            parts.append(f"WHEN {self.sql(branch, 'this')} THEN {self.sql(branch, 'true')}")
        default = self.sql(expression, "default")
        parts += [f"ELSE {default}", "END"] if default else ["END"]
        if self.too_wide(parts):
            return self.indent("\n".join(parts), skip_first=True, skip_last=True)
        return " ".join(parts)

    def format_args(self, *args: Any, sep: str = ", ") -> str:
        """Write the arguments in the line of the function if there is only one, or one and a number such as 0."""
        written = [self.sql(each) for each in args if each is not None and not isinstance(each, bool)]
        line = sep.join(written)
        has_number = len(written) > 1 and len(line) - max(map(len, written)) < 5
        if has_number and line.count("\n") == 1 and max(map(len, line.split("\n"))) <= _LONGEST_PART:
            return self.indent(line, skip_first=True)
        is_one = "\n" not in line and (len(written) == 1 or (len(line) <= _LONGEST and has_number))
        return line if is_one else super().format_args(*written, sep=sep)

    def set_operations(self, expression: Any) -> str:
        """Write UNION ALL before SELECT, and a short UNION of constants on one line."""
        text: str = super().set_operations(expression)
        if _has_other_blanks(expression):
            return text
        text = text.replace("\nUNION ALL\nSELECT", "\nUNION ALL SELECT")
        line = text.replace("\nUNION", " UNION")
        if "\n" not in line and "FROM" not in line and len(line) <= WIDTH:
            return line
        lines = r"(?m)^(?=.{1,105}$)((?:UNION ALL )?SELECT .+)\n(FROM \w{1,9})$(?!\n\w+ JOIN)"
        return re.sub(lines, r"\1 \2", text)

    def group_sql(self, expression: exp.Group) -> str:
        """Write GROUPING SETS in the line of GROUP BY."""
        text = super().group_sql(expression)
        return f"{self.seg('GROUP BY')} {text.split(None, 2)[2]}" if expression.args.get("grouping_sets") else text

    def windowspec_sql(self, expression: exp.WindowSpec) -> str:
        """Write the frame of a running sum in its short form."""
        text: str = super().windowspec_sql(expression)
        return text.replace("BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "UNBOUNDED PRECEDING")

    def window_sql(self, expression: exp.Window) -> str:
        """Write a long window in a line of its own."""
        text: str = super().window_sql(expression)
        head, over, window = text.partition(" OVER ")
        longest = (
            WIDTH - len(expression.parent.alias) if isinstance(expression.parent, exp.Alias) else _LONGEST_QUOTIENT
        )
        if len(text) <= longest or "\n" in head or _has_other_blanks(expression):
            return text
        line = " ".join(window.split()).replace("( ", "(").replace(" )", ")")
        return f"{head}\n{self.indent(f'OVER {line}', skip_first=False)}" if over else text

    def div_sql(self, expression: exp.Div) -> str:
        """Break a long division before its last divisor."""
        text = super().div_sql(expression)
        divisor = f" / {self.sql(expression.right)}" if len(text) > _LONGEST_QUOTIENT else ""
        if divisor and isinstance(expression.right, exp.Nullif) and text.endswith(divisor):
            text = f"{text[: -len(divisor)]}\n{divisor[1:]}"
        return text

    def paren_sql(self, expression: exp.Paren) -> str:
        line = self.sql(expression, "this")
        if "\n" not in line and len(line) <= WIDTH:
            return f"({line})"
        return f"({self.seg(self.indent(line), sep='')}{self.seg(')', sep='')}"

    def _clause(self, expression: exp.Where | exp.Having | exp.Qualify) -> str:
        """Write a clause with a condition on one line if it fits."""
        word, said = expression.key.upper(), expression.comments
        line, expression.comments = self.sql(expression, "this"), None
        note = f" /*{said[0]}*/" if said else ""
        if "\n" not in line and len(line + note) <= WIDTH:
            return f"{self.seg(word)} {line}{note}"
        return f"{self.seg(word)}{note}{self.sep()}{self.indent(line)}"

    where_sql = having_sql = qualify_sql = _clause


def _has_other_blanks(expression: exp.Expr) -> bool:
    """Return True if a name or a value may hold white space that looks like that of the layout."""
    words = (node.name for node in trees.find(expression, exp.Identifier, exp.Literal))
    return any(re.search(r"[^\S ]|  |\( | \)", word) for word in words)


def _is_short(value: exp.Expr) -> bool:
    """Return True for a column, a number, or a function of one, such as a count."""
    inner = value.this if isinstance(value, (exp.Avg, exp.Cast, exp.Coalesce, exp.Count, exp.Max)) else value
    return isinstance(inner, (exp.Column, exp.Literal, exp.Null, exp.Star))
