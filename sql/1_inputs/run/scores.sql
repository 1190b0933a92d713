-- run, from a relation with a row per candidate and a score.
--
-- Grain:  one row per (model, query, item), as often as the user's relation holds it.
-- Params: none.
SELECT
  model AS model,
  query AS query,
  item AS item,
  score AS score
FROM run_source
