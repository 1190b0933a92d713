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
        functions = zt.ZetaSQLBuiltinFunctionOptions(language_options=language)
        self.options = zt.AnalyzerOptions(language_options=language)
        self.service = ZetaSqlLocalService.get_instance()
        self.catalog = self.service.register_catalog(
            simple_catalog=catalog.with_builtin_functions(functions).build(), table_content=content
        ).registered_id

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        found = self.service.evaluate_query(sql=statement, options=self.options, registered_catalog_id=self.catalog)
        table = found.content.table_data  # None where there are no rows
        return self._names(statement), [tuple(map(_held, row.cell)) for row in (table.row if table else [])]

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
