-- The queries for which a model has another value than the baseline, or the same, with the largest loss first.
--
-- Grain:  one row per query that is a pair.
-- Params: $model, the model.
-- Edges:  there is one metric.
SELECT
  query,
  slice,
  baseline,
  value,
  delta
FROM ordered
WHERE model = $model
ORDER BY place ASC NULLS FIRST
