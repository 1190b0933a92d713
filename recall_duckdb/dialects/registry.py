"""One record for each dialect: its rewrites, the connections that run it, and how it compares text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot.dialects import dialect as sqlglot_dialects
from sqlglot.dialects.exasol import Exasol

from recall_duckdb.dialects import structure, values
from recall_duckdb.errors import UnknownNameError, commas, nearest, quote


class _Exasol(Exasol):
    """NULL is the largest value to Exasol (Teiid's manual); sqlglot 27 takes it for the smallest, 30 for the last.

    Either leaves out a NULLS LAST, and the largest of a query would be NULL.
    """

    NULL_ORDERING = "nulls_are_large"


@dataclass(frozen=True)
class Dialect:
    """The SQL of one engine.

    Attributes:
        name: what `dialect=` calls it.
        rewrites: the changes to a statement's tree, in their order; each names the fault that it prevents.
        by_bytes: the changes by which text ids compare by their bytes, made before the others.
        writer: the sqlglot dialect that writes it, where that is not the one of its name.
        also_called: other names that users try.
        drivers: the modules of the drivers whose connections usually speak it.
        shared_drivers: the modules of drivers that usually speak another dialect, but may speak this one.
        text_order: how text ids compare, where that may not be by their bytes.
        repeats_relations: whether the engine computes a relation again wherever it is read.
        limits_size: whether the engine refuses a statement that grows too large by that.
        reads_parquet: whether a statement can name a parquet file as a table.
        has_grouping_sets: whether it has GROUPING SETS, whose columns are NULL in the rows of other sets.
        has_qualify: whether it has QUALIFY, which may name a column of its SELECT.
        has_unpivot: whether it has UNPIVOT INCLUDE NULLS.
        joins_fill_nulls: whether an outer join fills columns without a match with NULL.
        divides_as_doubles: whether the quotient of two whole numbers is a double.
        numbers_are_doubles: whether arithmetic with a number such as 0.8 is that of doubles.
        powers_are_doubles: whether POWER of two whole numbers is a double.
    """

    name: str
    rewrites: tuple[structure.Rewrite, ...] = ()
    by_bytes: tuple[structure.Rewrite, ...] = (structure.without_collations,)
    writer: str | type[sqlglot_dialects.Dialect] | None = None
    also_called: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    shared_drivers: tuple[str, ...] = ()
    text_order: str = ""
    repeats_relations: bool = False
    limits_size: bool = False
    reads_parquet: bool = False
    has_grouping_sets: bool = False
    has_qualify: bool = False
    has_unpivot: bool = False
    joins_fill_nulls: bool = True
    divides_as_doubles: bool = False
    numbers_are_doubles: bool = False
    powers_are_doubles: bool = False


_POSTGRES = ("pg8000", "psycopg", "psycopg2")
_VALUES_OF_POSTGRES = (values.nan_by_comparison, values.float_by_arithmetic, values.powers_above_zero)
_MYSQL = ("mariadb", "mysql", "MySQLdb", "pymysql")

# The dialects of which a fact is true, by the attribute that says so.
_FACTS = {
    "repeats_relations": "athena bigquery clickhouse databricks datafusion fabric hive presto spark trino tsql",
    "limits_size": "athena presto trino",
    "reads_parquet": "databricks spark",
    "has_grouping_sets": "athena bigquery databricks duckdb postgres presto redshift snowflake spark trino",
    "has_qualify": "bigquery clickhouse databricks duckdb snowflake teradata",
    "has_unpivot": "bigquery databricks spark",
    "divides_as_doubles": "bigquery clickhouse databricks duckdb spark",
    "numbers_are_doubles": "bigquery clickhouse duckdb sqlite",
    "powers_are_doubles": "athena bigquery clickhouse databricks duckdb postgres presto snowflake spark sqlite trino",
}

_RECORDS = (
    Dialect("athena", drivers=("pyathena",), shared_drivers=("trino",)),
    Dialect("bigquery", (values.float_by_arithmetic,), drivers=("google.cloud.bigquery",)),
    Dialect(
        "clickhouse",
        (values.decimal_of_no_null, structure.columns_of_tables, structure.columns_of_answer),
        drivers=("chdb", "clickhouse_connect", "clickhouse_driver"),
        joins_fill_nulls=False,
    ),
    Dialect(
        "databricks",
        (values.without_variables,),
        drivers=("databricks.sql",),
        shared_drivers=("pyhive.hive", "pyspark.sql"),
    ),
    Dialect("datafusion", (values.isnan, values.varying_relevance, structure.on_for_using), writer="postgres"),
    Dialect("doris", (values.nan_by_text, structure.peers_as_partition), shared_drivers=_MYSQL),
    Dialect("duckdb"),
    Dialect(
        "exasol",
        (
            values.nan_is_null,
            values.text_as_it_is,
            values.float_by_arithmetic,
            values.bare_numbers,
            values.shorter_decimals,
            structure.on_for_using,
            structure.qualify_columns,
            structure.quote_reserved_words("before", "catalog", "found", "others", "value"),
            structure.in_upper_case,
        ),
        writer=_Exasol,
        drivers=("pyexasol",),
        text_order="by their bytes; '' is NULL",
    ),
    Dialect(
        "fabric",
        (values.nan_is_null, values.text_as_it_is, values.real, structure.on_for_using),
        (values.compare_bytes("Latin1_General_100_BIN2_UTF8"),),
        also_called=("synapse",),
        shared_drivers=("pymssql",),
        text_order="by their bytes under the usual collation, except for spaces at their end",
    ),
    Dialect(
        "hive",
        (values.nan_by_text, structure.peers_as_partition, values.without_variables),
        drivers=("pyhive.hive",),
        shared_drivers=("pyspark.sql",),
    ),
    Dialect(
        "materialize",
        (*_VALUES_OF_POSTGRES, structure.peers_as_partition, structure.no_new_tables),
        shared_drivers=_POSTGRES,
    ),
    Dialect(
        "mysql",
        (values.nan_is_null, values.float_by_arithmetic, values.signed_places),
        (values.collated_models, values.compare_bytes("utf8mb4_bin", character_set="utf8mb4")),
        also_called=("mariadb",),
        drivers=_MYSQL,
        text_order="as the column's collation has it, often blind to case; equal scores rank as elsewhere under "
        "utf8mb4_0900_bin alone",
    ),
    Dialect(
        "oracle",
        (
            values.is_nan,
            values.text_as_it_is,
            values.binary_doubles,
            structure.from_dual,
            structure.on_for_using,
            structure.qualify_columns,
            structure.quote_reserved_words("share"),
            structure.in_upper_case,
        ),
        drivers=("cx_Oracle", "oracledb"),
        text_order="by their bytes under NLS_SORT=BINARY and NLS_COMP=BINARY; '' is NULL",
    ),
    Dialect(
        "postgres",
        (*_VALUES_OF_POSTGRES, values.decimal_by_text),
        (values.compare_bytes('"C"', is_text=False),),
        also_called=("postgresql",),
        drivers=_POSTGRES,
        text_order="as the column's collation has it; equal scores rank as elsewhere under C alone",
    ),
    Dialect("presto", drivers=("prestodb",), shared_drivers=("trino",)),
    Dialect(
        "redshift",
        (*_VALUES_OF_POSTGRES, structure.peers_as_partition, values.text_of_any_length),
        drivers=("redshift_connector",),
        shared_drivers=_POSTGRES,
        text_order="by their bytes, except for spaces at their end",
    ),
    Dialect(
        "risingwave",
        (*_VALUES_OF_POSTGRES, structure.peers_as_partition, values.decimal_of_any_size),
        shared_drivers=_POSTGRES,
    ),
    Dialect(
        "snowflake",
        (values.nan_by_comparison, values.float_by_arithmetic, structure.peers_as_partition, structure.in_upper_case),
        drivers=("fakesnow", "snowflake.connector"),
    ),
    Dialect("spark", (values.without_variables,), drivers=("pyspark.sql",), shared_drivers=("pyhive.hive",)),
    Dialect(
        "sqlite",
        (values.nan_is_null, values.float_by_arithmetic, values.text_is_no_number, structure.columns_of_tables),
        (values.compare_bytes("BINARY"),),
        drivers=("sqlite3",),
    ),
    Dialect(
        "starrocks",
        (values.nan_by_text, structure.peers_as_partition, structure.quote_reserved_words("before")),
        shared_drivers=_MYSQL,
    ),
    Dialect(
        "teradata",
        (
            values.nan_is_null,
            values.text_as_it_is,
            values.float_by_arithmetic,
            structure.peers_as_partition,
            values.literals_of_one_type,
            structure.from_one_row,
            structure.unique_subqueries,
            structure.on_for_using,
            structure.quote_reserved_words("before", "found", "rank", "value"),
            structure.with_data,
        ),
        drivers=("teradatasql",),
        text_order="by their bytes where columns are CASESPECIFIC, except for spaces at their end",
    ),
    Dialect("trino", drivers=("trino",)),
    Dialect(
        "tsql",
        (values.nan_is_null, values.text_as_it_is, values.real, structure.on_for_using),
        (values.collated_models, values.compare_bytes("Latin1_General_100_BIN2_UTF8")),
        also_called=("mssql", "sqlserver"),
        drivers=("pymssql",),
        text_order="as the column's collation has it, often blind to case; equal scores rank as elsewhere under "
        "Latin1_General_100_BIN2_UTF8 alone",
    ),
)

_NAMES_OF = {fact: names.split() for fact, names in _FACTS.items()}
DIALECTS: dict[str, Dialect] = {
    record.name: replace(record, **{fact: True for fact, names in _NAMES_OF.items() if record.name in names})  # type: ignore[arg-type]
    for record in _RECORDS
}


def find_dialect(name: object, among: Mapping[str, Dialect] = DIALECTS) -> Dialect:
    """Return the dialect of a name.

    Raises:
        UnknownNameError: there is none of this name; the message holds the nearest.

    Example:
        >>> find_dialect("postgres").drivers
        ('pg8000', 'psycopg', 'psycopg2')
    """
    if isinstance(name, str) and name in among:
        return among[name]
    folded = name.casefold().replace(" ", "") if isinstance(name, str) else ""
    meant = next((record.name for record in among.values() if folded in record.also_called), folded)
    raise UnknownNameError(f"there is no dialect {quote(name)}", fix=f"{nearest(meant, among)} Known: {commas(among)}")


def spoken_through(module: str) -> list[str]:
    """Return the dialects that the connections of a driver's module may speak, the usual one first.

    Example:
        >>> spoken_through("pyspark.sql.session")
        ['spark', 'databricks', 'hive']
    """

    def holds(drivers: tuple[str, ...]) -> bool:
        return any(f"{module}.".startswith(f"{driver}.") for driver in drivers)

    usual = [record.name for record in _RECORDS if holds(record.drivers)]
    return [*usual, *(record.name for record in _RECORDS if holds(record.shared_drivers))]
