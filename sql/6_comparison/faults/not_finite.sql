-- Values that are NaN or infinite.
--
-- Grain:  one row per row with such a value.
-- Params: $model, the model; NULL for all models.
-- Rule:   a value is NaN or infinite
-- Do:     Correct the value, or write NULL for a query that does not count.
-- Edges:  value_of_metric is repeated for each metric.
SELECT
  query,
  value_of_metric
FROM per_query
WHERE
  ($model IS NULL OR model = $model)
  AND NOT (coalesce(NOT isnan(value_of_metric) AND NOT isinf(value_of_metric), TRUE))
