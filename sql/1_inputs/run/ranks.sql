-- run, from a relation with a row per candidate and its rank: 1 is the first.
--
-- Grain:  one row per (model, query, item), as often as the user's relation holds it.
-- Params: none.
-- Edges:  score is a number that gives this order.
SELECT
  model,
  query,
  item,
  rank,
  -CAST(rank AS DOUBLE) AS score
FROM run_source
