"""The functions of DuckDB that a metric file may not call: their value changes from call to call, or they write."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.definitions import trees

# All that some supported version of DuckDB calls volatile, or consistent within one query only, in every form.
# The types of dates and times have such forms of date_part and others, which are left out.
VOLATILE = frozenset({
    "current_catalog", "current_connection_id", "current_database", "current_date", "current_localtime",
    "current_localtimestamp", "current_query", "current_query_id", "current_role", "current_schema",
    "current_schemas", "current_setting", "current_time", "current_timestamp", "current_transaction_id",
    "current_user", "currval", "error", "gen_random_uuid", "get_current_time", "get_current_timestamp",
    "getenv", "getvariable", "in_search_path", "localtime", "localtimestamp", "nextval", "now",
    "pg_conf_load_time", "pg_postmaster_start_time", "query", "rand", "random", "session_user", "setseed",
    "setval", "sleep_ms", "stats", "today", "transaction_timestamp", "txid_current", "user", "uuid", "uuidv4",
    "uuidv7", "vector_type", "write_log",
})  # fmt: skip


def volatile_call(tree: exp.Expr) -> str | None:
    """Return the first volatile function that a statement calls, `TABLESAMPLE` if it samples rows, or None.

    Example:
        >>> from sqlglot import parse_one
        >>> volatile_call(parse_one("SELECT max(rank * RANDOM()) FROM judged", read="duckdb"))
        'random'
    """
    if trees.find(tree, exp.TableSample):
        return "TABLESAMPLE"
    for node in trees.find(tree, exp.Func):
        assert isinstance(node, exp.Func)
        names = {name.lower() for name in ([node.name] if isinstance(node, exp.Anonymous) else node.sql_names())}
        if not VOLATILE.isdisjoint(names):
            return node.name if isinstance(node, exp.Anonymous) else node.sql("duckdb").partition("(")[0].lower()
    return None
