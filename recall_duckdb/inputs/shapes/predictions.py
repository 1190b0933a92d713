"""Shape: the predictions of MTEB, as json.load returns them."""

from __future__ import annotations

from collections.abc import Mapping

from recall_duckdb.errors import ArgumentError, commas
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape
from recall_duckdb.inputs.shapes.nested import Nested
from recall_duckdb.inputs.usual_names import OF_MTEB


class Predictions(Shape):
    """{"mteb_model_meta": …, subset: {split: {query: {item: score}}}} with a single subset and split."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Return the rows of the only split.

        Raises:
            ArgumentError: there are several.
        """
        if not isinstance(value, Mapping) or OF_MTEB not in value:
            return None
        inner: object = value
        for level in ("subset", "split"):
            names = [name for name in inner if name != OF_MTEB] if isinstance(inner, Mapping) else []
            if len(names) != 1:
                raise ArgumentError(
                    (f"predictions of MTEB of one {level} are expected, but the dict holds {commas(names) or 'none'}"),
                    argument=layout.side,
                    fix="Pass those of one, as in data['default']['test']",
                )
            assert isinstance(inner, Mapping)
            inner = inner[names[0]]
        return Nested().rows(inner, layout)
