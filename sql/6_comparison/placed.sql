-- The pairs, with numbers for their slices and queries that are the same under every model.
--
-- Grain:  the rows and columns of pairs, and slice_no, and place, the number of the query in its slice, from 0.
-- Params: none.
-- Edges:  queries are numbered in their own order, so that the rows may come in any order.
SELECT
  *,
  dense_rank() OVER (ORDER BY slice ASC NULLS FIRST) AS slice_no,
  dense_rank() OVER (PARTITION BY slice ORDER BY query ASC NULLS FIRST) - 1 AS place
FROM pairs
