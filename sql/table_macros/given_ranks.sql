-- The run with its ranks, for checks. In `run` itself, a column of ranks would hide the rank of `ranked`.
--
-- Grain:  one row per (model, query, item).
-- Params: the arguments of the macro.
SELECT
  model,
  query,
  item,
  score,
  CASE WHEN $rank IS NOT NULL THEN CAST(-score AS BIGINT) END AS rank
FROM run_source
