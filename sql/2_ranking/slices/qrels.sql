-- The slice of each query, from the columns of the qrels.
--
-- Grain:  one row per query of qrels.
-- Params: none.
-- Edges:  the check `slices_of_qrels` refuses a query with two values.
SELECT
  query,
  max(slice) AS slice
FROM qrels
GROUP BY query
