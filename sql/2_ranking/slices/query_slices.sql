-- The slice of each query, from query_slices.
--
-- Grain:  one row per query of query_slices.
-- Params: none.
-- Edges:  the check `query_slices_duplicates` refuses a query with two rows.
SELECT
  query,
  max(slice) AS slice
FROM query_slices
GROUP BY query
