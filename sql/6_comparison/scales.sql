-- The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1.
--
-- Grain:  one row per metric.
-- Params: none.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  columns whose names end in `_of_metric` are repeated for each metric; number_of_metric is its metric_no.
SELECT
  metric_no,
  CASE
    WHEN largest > power_of_2(1023) THEN power_of_2(1023)
    WHEN largest > 1 THEN power(CAST(2 AS DOUBLE), ceil(ln(largest) / ln(CAST(2 AS DOUBLE))))
    ELSE CAST(1 AS DOUBLE)
  END AS scale
FROM (
  SELECT
    metric_no,
    CASE metric_no WHEN number_of_metric THEN largest_of_metric END AS largest
  FROM (SELECT max(abs(value_of_metric)) AS largest_of_metric FROM per_query) AS largest_of_all
  CROSS JOIN metrics
) AS largest_values
