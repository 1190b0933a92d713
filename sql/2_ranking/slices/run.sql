-- The slice that a query belongs to, from the columns of run.
--
-- Grain:  one row per query of run.
-- Params: none.
-- Edges:  a query with two values is refused by the check `slices`.
SELECT
  query,
  max(slice) AS slice
FROM run_source
GROUP BY query
