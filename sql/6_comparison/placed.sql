-- The queries of the models that are compared, with numbers for their slices and for themselves.
--
-- Grain:  one row per (query, slice); slice_no numbers the slices, and place the queries of a slice, from 0.
-- Params: $baseline, the model that the others are compared with.
-- Edges:  queries are numbered in their own order, so that the rows may come in any order.
SELECT
  query,
  slice,
  item_slice_no,
  dense_rank() OVER (ORDER BY slice ASC NULLS FIRST) AS slice_no,
  dense_rank() OVER (PARTITION BY slice ORDER BY query ASC NULLS FIRST) - 1 AS place
FROM (
  SELECT
    query,
    slice,
    item_slice_no
  FROM per_query
  WHERE $baseline IS NULL OR model <> $baseline
  GROUP BY query, slice, item_slice_no
) AS queries
