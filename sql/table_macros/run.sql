-- The run, with its ranks if these are given.
--
-- Grain:  one row per (model, query, item).
-- Params: the arguments of the macro.
-- Edges:  a rank that is not a whole number is NULL.
SELECT
  model,
  query,
  item,
  score,
  CASE WHEN $rank IS NOT NULL AND score = floor(score) THEN CAST(-score AS BIGINT) END AS rank
FROM run_source
