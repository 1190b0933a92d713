"""GoogleSQL, the reference implementation of BigQuery's SQL, run in this process."""

from __future__ import annotations

import ctypes
import tempfile
from decimal import Context, Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp

from engines.base import Engine, Tables, kind, missing


class GoogleSQL(Engine):
    """The reference implementation of BigQuery's SQL."""

    name = "GoogleSQL"
    dialect = "bigquery"
    can_create = False  # the reference implementation only evaluates queries
    impossible_names = ("${x}",)

    @classmethod
    def missing(cls) -> str | None:
        return missing(package="zetasql", how="pip install zetasql")

    def __init__(self) -> None:
        import wasmtime
        import zetasql.core.wasm_client as client

        cache = Path(tempfile.gettempdir()) / f"zetasql-{version('wasmtime')}-{version('zetasql')}.module"

        class Cached:  # compiling the module takes a minute, loading it is instant
            @staticmethod
            def from_file(engine: Any, path: str) -> Any:
                if cache.exists():
                    return wasmtime.Module.deserialize_file(engine, str(cache))
                module = wasmtime.Module.from_file(engine, path)
                cache.write_bytes(module.serialize())
                return module

        def address(instance: Any) -> int:
            return int(ctypes.addressof(instance.memory.data_ptr().contents))

        self.tables: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        self.is_loaded = False
        client.Module = Cached

        def write(instance: Any, at: int, data: bytes) -> None:
            ctypes.memmove(address(instance) + at, data, len(data))

        client.WasmClient.write_bytes = write
        client.WasmClient.read_bytes = lambda self, at, size: ctypes.string_at(address(self) + at, size)

    def load(self, tables: Tables) -> None:
        import zetasql.types as zt
        from zetasql.api import CatalogBuilder, TableBuilder, create_table_content
        from zetasql.core import ZetaSqlLocalService

        self.tables.update(tables)
        language = zt.LanguageOptions.maximum_features()
        language.product_mode = zt.ProductMode.PRODUCT_EXTERNAL
        language.reserved_keywords = sorted({*language.reserved_keywords, "QUALIFY"})
        types = {"text": zt.TypeKind.TYPE_STRING, "int": zt.TypeKind.TYPE_INT64, "float": zt.TypeKind.TYPE_DOUBLE}
        catalog = CatalogBuilder("c")
        content = {}
        for name, columns in self.tables.items():
            table = TableBuilder(name)
            for column, values in columns.items():
                table = table.add_column(column, types[kind(column, values)])
            catalog.add_table(table.build())
            held = [
                [float(value) if kind(column, values) == "float" and value is not None else value for value in values]
                for column, values in columns.items()
            ]
            content[name] = create_table_content([list(row) for row in zip(*held, strict=True)])
        for function in self.functions.values():
            catalog.add_function(function)
        functions = zt.ZetaSQLBuiltinFunctionOptions(language_options=language)
        self.options = zt.AnalyzerOptions(language_options=language)
        self.service = ZetaSqlLocalService.get_instance()
        self.catalog = self.service.register_catalog(
            simple_catalog=catalog.with_builtin_functions(functions).build(), table_content=content
        ).registered_id
        self.is_loaded = True

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        if statement.startswith("CREATE TEMP FUNCTION"):
            self._create(statement)
            return [], []
        if not self.is_loaded:
            self.load({})
        found = self.service.evaluate_query(sql=statement, options=self.options, registered_catalog_id=self.catalog)
        table = found.content.table_data  # None where there are no rows
        return self._names(statement), [tuple(map(_held, row.cell)) for row in (table.row if table else [])]

    def _create(self, statement: str) -> None:
        """Add a function to the catalog, with the names, types and body that GoogleSQL reads in its statement."""
        import zetasql.types as zt
        from zetasql.api import SignatureBuilder

        if not hasattr(self, "service"):
            self.load({})
        made = self.service.analyze(
            sql_statement=statement, options=self.options, registered_catalog_id=self.catalog
        ).resolved_statement
        signature = SignatureBuilder()
        for argument in made.signature.argument:
            signature.add_argument(argument.type)
        built = signature.set_return_type(made.return_type).build()
        for each in (*built.argument, built.return_type):
            each.num_occurrences = -1  # not known before a call
        [name] = made.name_path
        self.functions[name] = zt.Function(
            name_path=[name],
            group="Templated_SQL_Function",
            mode=zt.FunctionEnums.Mode.SCALAR,
            signature=[built],
            parse_resume_location=zt.ParseResumeLocation(input=made.code),
            templated_sql_function_argument_name=list(made.argument_name_list),
        )
        self.is_loaded = False

    def _names(self, statement: str) -> list[str]:
        """Return the column names of a statement; the result does not have them."""
        tree: Any = sqlglot.parse_one(statement, read="bigquery")
        if not tree.is_star:
            return list(tree.named_selects)
        return list(self.tables[next(tree.find_all(exp.Table)).name])

    def close(self) -> None:
        pass


# By the kind of a decimal, how many of its digits are after the point. BigQuery's drivers return it as Decimal.
_PLACES = {"numeric_value": 9, "bignumeric_value": 38}


def _held(cell: Any) -> Any:
    for name, value in vars(cell).items():
        if name.endswith("_value") and value is not None:
            if name not in _PLACES:
                return value
            whole = int.from_bytes(value, "little", signed=True)
            return Context(prec=80).scaleb(Decimal(whole), -_PLACES[name])
    return None
