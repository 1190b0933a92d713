-- The number of queries that count for the baseline.
--
-- Grain:  one row per metric (is_slice = 0), and with slices one per (slice of the baseline, metric) (is_slice = 1).
-- Params: $baseline, the model that the others are compared with; $sliced: true with slices.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. Columns whose names end in `_of_metric` are repeated for each
--         metric; number_of_metric is its metric_no.
SELECT
  is_slice,
  level_slice,
  metric_no,
  CASE metric_no WHEN number_of_metric THEN count_of_metric END AS base_counted
FROM (
  SELECT
    is_slice,
    CASE WHEN is_slice = 1 THEN slice END AS level_slice,
    count(value_of_metric) AS count_of_metric
  FROM per_query
  CROSS JOIN (
    SELECT 0 AS is_slice
    UNION ALL
    SELECT 1 AS is_slice
  ) AS levels
  WHERE
    model = $baseline
    AND ((is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL))
  GROUP BY is_slice, CASE WHEN is_slice = 1 THEN slice END
) AS counts_of_all
CROSS JOIN metrics
