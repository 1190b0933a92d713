-- The mean difference of the queries drawn, in steps.
--
-- Grain:  one row per (model, level, sample, metric).
-- Params: none.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  all metrics and models share the draws. A query that is no pair is drawn too, and counts in no mean. Columns
--         whose names end in `_of_metric` are repeated for each metric; number_of_metric is its metric_no.
SELECT
  model,
  level_no,
  sample,
  metric_no,
  CASE metric_no WHEN number_of_metric THEN mean_of_metric END AS mean
FROM (
  SELECT
    model,
    level_no,
    sample,
    CAST(sum(list_of_metric[drawn]) AS DOUBLE) / nullif(count(list_of_metric[drawn]), 0) AS mean_of_metric
  FROM draws
  GROUP BY model, level_no, sample
) AS means_of_all
CROSS JOIN metrics
