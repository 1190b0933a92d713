-- The run, from a relation with one row per candidate and its rank; 1 is the first.
--
-- Grain:  one row per (model, query, item), as often as the user's relation holds it.
-- Params: none.
-- Edges:  score is a number that gives the same order.
SELECT
  model,
  query,
  item,
  rank,
  -CAST(rank AS DOUBLE) AS score
FROM run_source
