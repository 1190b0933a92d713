"""Explains why DuckDB could not run a statement, or read a value."""

from __future__ import annotations

import re

import duckdb

from recall_duckdb.errors import DataError, EngineError, RecallError, kind_of, malformed_line

TRANSACTION_ABORTED = "The error aborted your transaction: run ROLLBACK. Its uncommitted changes are lost"

# How DuckDB says that a value or a sum exceeds the DECIMAL(38, 0) in which means are summed.
_SUM_OVERFLOW = re.compile(
    r"Could not cast value \S+ to DECIMAL\(38,0\)"
    r"|Overflow in (HUGEINT addition|SUM of DECIMAL|repeated aggregate state combine)"
)


def explain_failure(what: str, error: Exception) -> RecallError:
    """Return the error for what DuckDB raised, in words that say what to do."""
    line = malformed_line(error)
    if line is not None:
        return DataError(line)
    if isinstance(error, duckdb.Error) and _SUM_OVERFLOW.search(str(error)):
        return too_large_sum("a metric", str(error).splitlines()[0])
    if "Map keys must be unique" in str(error):
        return DataError(
            "A map or a JSON object holds a key twice, and only one of its values can count", fix="Remove one"
        )
    if not isinstance(error, duckdb.OutOfMemoryException):
        return EngineError(f"DuckDB could not {what}: {error}")
    first, _, rest = str(error).partition("\n")
    spill = "name a folder that it can write to (TMPDIR), " if "no temporary directory" in rest else ""
    return EngineError(
        f"DuckDB ran out of memory: {spill}raise its memory_limit (--memory-limit), let it take fewer threads "
        f"(--threads), or ask for cutoffs where whole lists are not needed ({first})"
    )


def too_large_sum(metric: str, reason: str) -> DataError:
    """Return the error for values of queries whose sum exceeds DECIMAL(38, 0), in units of 2^-70."""
    return DataError(
        f"The values of {metric} add up to more than 8.5e16, which is too large for an exact mean",
        fix=f"Divide the relevance values, gains or options by a constant ({reason})",
    )


def not_readable(role: str, value: object, error: Exception) -> str:
    """Return the message for a value that cannot be bound."""
    if isinstance(value, duckdb.DuckDBPyRelation):
        return (
            f"{role}: the relation is of another connection: pass that one as connection=, or a copy of its rows, as "
            f"{role}.to_arrow_table() returns ({error})"
        )
    return (
        f"{role}: {kind_of(value)} cannot be read; pass a path, a table name with connection=, a DuckDB "
        f"relation, a pandas, polars or pyarrow table, or a dict of columns ({error})"
    )
