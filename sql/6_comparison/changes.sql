-- The queries for which a model has another value than the baseline, or the same, with the largest loss first.
--
-- Grain:  one row per query that is a pair.
-- Params: $model, the model.
-- Edges:  `value` is the column of the one metric; queries are ordered by the difference in whole steps.
SELECT
  query,
  slice,
  value_base AS baseline,
  value,
  value - value_base AS delta
FROM pairs
WHERE model = $model AND value_steps IS NOT NULL
ORDER BY value_steps ASC NULLS FIRST, query ASC NULLS FIRST
