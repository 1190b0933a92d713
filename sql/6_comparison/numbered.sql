-- The values of queries, with slices of items as numbers, for files of values.
--
-- Grain:  one row per (model, query) with item_slice_no = 0, and one per (model, query, item slice).
-- Params: none.
-- Edges:  the slice columns are NULL in the row of the whole query.
SELECT
  *,
  CASE
    WHEN NOT (slice IS NOT NULL) THEN 0
    ELSE dense_rank() OVER (ORDER BY slice ASC NULLS FIRST)
  END AS item_slice_no
FROM per_query
