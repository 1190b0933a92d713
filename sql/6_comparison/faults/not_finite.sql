-- Values that are NaN or infinite.
--
-- Grain:  one row per row with such a value.
-- Params: none.
-- Rule:   a value is NaN or infinite
-- Do:     Correct the value, or write NULL for a query that does not count.
-- Edges:  value_of_metric is repeated for each metric.
SELECT
  model,
  query,
  value_of_metric
FROM per_query
WHERE NOT (coalesce(NOT isnan(value_of_metric) AND NOT isinf(value_of_metric), TRUE))
ORDER BY model ASC NULLS FIRST, query ASC NULLS FIRST
