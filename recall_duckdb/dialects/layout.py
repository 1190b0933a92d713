"""Lays out a statement for readers: short clauses on one line, which sqlglot breaks into several."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sqlglot import exp, generator
from sqlglot.dialects.dialect import Dialect

WIDTH = 113  # of a clause without its indent
_WIDTH_OF_EXPRESSION = 150  # breaks inside a formula help less
_LONGEST = 250


@lru_cache
def short_lines(dialect: str | type[Dialect]) -> Any:
    """Return a function that makes the generator of a dialect that keeps short clauses on one line.

    It is None if sqlglot is compiled (`sqlglot[c]`), because its generators have no subclasses then.
    """
    if not str(generator.__file__).endswith(".py"):
        return None
    base = Dialect.get_or_raise("trino" if dialect == "athena" else dialect)  # sqlglot's Athena hands over to Trino
    kind: Any = type("ShortLines", (_ShortLines, type(base.generator())), {})
    return lambda **options: kind(dialect=base, pretty=True, max_text_width=_WIDTH_OF_EXPRESSION, **options)


class _ShortLines:
    """Overrides of a generator of sqlglot. All of them change white space alone."""

    _on_this_line = False

    def expressions(self, expression: Any = None, key: Any = None, **options: Any) -> str:
        """Write the columns of a SELECT on one line if they fit, and else names and numbers next to each other."""
        base: Any = super()
        if (
            not isinstance(expression, exp.Select)
            or key is not None
            or any(each.comments for each in expression.expressions)
        ):
            text: str = base.expressions(expression, key=key, **options)
            return text
        writer: Any = self
        written = [writer.sql(each) for each in expression.expressions]
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
        indented: str = writer.indent(",\n".join(lines), skip_first=self._on_this_line)
        return indented

    def sep(self, sep: str = " ") -> str:
        """Return the white space after SELECT."""
        if self._on_this_line:
            self._on_this_line = False
            return sep
        base: Any = super()
        text: str = base.sep(sep)
        return text

    def seg(self, sql: str, sep: str = " ") -> str:
        """Write USING and ON in the line of their JOIN."""
        base: Any = super()
        text: str = base.seg(sql, sep) if sql.strip() else " "
        return text

    def op_expressions(self, op: str, expression: Any, flat: bool = False) -> str:
        """Write GROUP BY and ORDER BY on one line if they fit."""
        base: Any = super()
        line: str = base.expressions(expression, flat=True)
        if not flat and "\n" not in line and len(line) <= WIDTH:
            return f"{self.seg(op)} {line}"
        text: str = base.op_expressions(op, expression, flat)
        return text

    def case_sql(self, expression: exp.Case) -> str:
        """Write each branch of a long CASE on its own line."""
        writer: Any = self
        this = writer.sql(expression, "this")
        parts = [f"CASE {this}" if this else "CASE"]
        for branch in expression.args["ifs"]:
            parts.append(f"WHEN {writer.sql(branch, 'this')} THEN {writer.sql(branch, 'true')}")
        default = writer.sql(expression, "default")
        parts += [f"ELSE {default}", "END"] if default else ["END"]
        if writer.too_wide(parts):
            text: str = writer.indent("\n".join(parts), skip_first=True, skip_last=True)
            return text
        return " ".join(parts)

    def format_args(self, *args: Any, sep: str = ", ") -> str:
        """Write the arguments in the line of the function if there is only one, or one and a number such as 0."""
        base: Any = super()
        writer: Any = self
        written = [writer.sql(each) for each in args if each is not None and not isinstance(each, bool)]
        line = sep.join(written)
        is_one = len(written) == 1 or (len(line) <= _LONGEST and len(line) - max(map(len, written), default=0) < 5)
        text: str = line if is_one and "\n" not in line else base.format_args(*written, sep=sep)
        return text

    def set_operations(self, expression: Any) -> str:
        """Write a UNION of constants with a row on each line, or on one line if it fits."""
        base: Any = super()
        writer: Any = self
        rows = _constants(expression)
        if not rows:
            text: str = base.set_operations(expression)
            return text
        written = [writer.sql(row) for row in rows]
        line = " UNION ALL ".join(written)
        return line if len(line) <= WIDTH else "\nUNION ALL ".join(written)

    def div_sql(self, expression: exp.Div) -> str:
        """Break a long division before its last divisor."""
        base: Any = super()
        writer: Any = self
        text: str = base.div_sql(expression)
        divisor = f" / {writer.sql(expression.right)}" if len(text) > _WIDTH_OF_EXPRESSION else ""
        if divisor and isinstance(expression.right, exp.Nullif) and text.endswith(divisor):
            text = f"{text[: -len(divisor)]}\n{divisor[1:]}"
        return text

    def paren_sql(self, expression: exp.Paren) -> str:
        """Write parentheses on one line if they fit."""
        writer: Any = self
        line: str = writer.sql(expression, "this")
        if "\n" not in line and len(line) <= WIDTH:
            return f"({line})"
        return f"({writer.seg(writer.indent(line), sep='')}{writer.seg(')', sep='')}"

    def where_sql(self, expression: exp.Where) -> str:
        """Write WHERE."""
        return self._condition("WHERE", expression)

    def having_sql(self, expression: exp.Having) -> str:
        """Write HAVING."""
        return self._condition("HAVING", expression)

    def qualify_sql(self, expression: exp.Qualify) -> str:
        """Write QUALIFY."""
        return self._condition("QUALIFY", expression)

    def _condition(self, word: str, clause: Any) -> str:
        base: Any = self
        line: str = base.sql(clause, "this")
        if "\n" not in line and len(line) <= WIDTH:
            return f"{self.seg(word)} {line}"
        return f"{self.seg(word)}{self.sep()}{base.indent(line)}"


def _is_short(value: exp.Expr) -> bool:
    """Return True for a column, a number or a count."""
    inner = value.this if isinstance(value, (exp.Cast, exp.Count)) else value
    return isinstance(inner, (exp.Column, exp.Literal, exp.Null, exp.Star))


def _constants(query: exp.Expr) -> list[exp.Expr]:
    """Return the SELECTs of a UNION ALL of constants; [] for other queries."""
    if isinstance(query, exp.Select):
        return [query] if query.args.keys() <= {"expressions"} and not query.comments else []
    if not isinstance(query, exp.Union) or query.args.get("distinct"):
        return []
    left, right = _constants(query.this), _constants(query.expression)
    return [*left, *right] if left and right else []
