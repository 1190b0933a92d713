-- The top of every query's list, in the ranks that the run itself gives.
--
-- Grain:  one row per (model, query, item) among the first $depth of its query.
-- Params: $depth, how far down any metric looks, NULL for the whole list.
-- Edges:  ranks that are not 1, 2, 3, … in every query are refused by the check `ranks`.
SELECT
  model,
  query,
  item,
  1 AS is_recommended,
  rank
FROM candidates
WHERE $depth IS NULL OR rank <= $depth
