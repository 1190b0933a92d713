-- The slice that a query belongs to, from the columns of qrels.
--
-- Grain:  one row per query of qrels.
-- Params: none.
-- Edges:  a query with two values is refused by the check `slices`.
SELECT
  query,
  max(slice) AS slice
FROM qrels
GROUP BY query
