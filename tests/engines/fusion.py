"""DataFusion, run in this process."""

from __future__ import annotations

from typing import Any

from engines.base import Engine, Tables, kind, missing


class DataFusion(Engine):
    name = "DataFusion"
    dialect = "datafusion"

    @classmethod
    def missing(cls) -> str | None:
        return missing(package="datafusion", how="pip install datafusion")

    def __init__(self) -> None:
        import datafusion

        self.context = datafusion.SessionContext()

    def load(self, tables: Tables) -> None:
        import pyarrow as pa

        types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64()}
        for name, columns in tables.items():
            if self.context.table_exist(name):
                self.context.deregister_table(name)
            held = pa.table(
                {column: pa.array(values, types[kind(column, values)]) for column, values in columns.items()}
            )
            self.context.register_record_batches(
                name, [held.to_batches() or [pa.RecordBatch.from_pylist([], held.schema)]]
            )

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        found = self.context.sql(statement).to_arrow_table()
        return found.column_names, list(zip(*(column.to_pylist() for column in found.columns), strict=True))

    def close(self) -> None:
        pass
