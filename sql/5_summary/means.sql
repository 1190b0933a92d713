-- The means in long form.
--
-- Grain:  one row per (model, metric, k), and with slices one per (model, slice, metric, k).
-- Params: $metric_no, the number of each metric in the order they were asked for.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  the slice columns are NULL in the rows over all queries, which come first. `value_mean` and `value_queries`
--         are repeated for each metric.
SELECT
  model,
  level_slice AS slice,
  metric,
  k,
  CASE metric_no WHEN $metric_no THEN value_mean END AS value,
  CASE metric_no WHEN $metric_no THEN value_queries END AS queries
FROM averages
CROSS JOIN metrics
ORDER BY model ASC NULLS FIRST, is_slice ASC NULLS FIRST, level_slice ASC NULLS FIRST, metric_no ASC NULLS FIRST
