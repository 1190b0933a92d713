-- The slice of each query, from the columns of the run.
--
-- Grain:  one row per query of run.
-- Params: none.
-- Edges:  the check `slices_of_run` refuses a query with two values.
SELECT
  query,
  max(slice) AS slice
FROM run_source
GROUP BY query
