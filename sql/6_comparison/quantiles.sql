-- Quantiles of the values of a metric.
--
-- Grain:  one row per (model, metric) (is_slice = 0), and with slices one per (model, slice, metric) (is_slice = 1).
-- Params: $sliced: true with slices.
-- Edges:  between two values, a quantile is interpolated.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  metric_no,
  quantile_cont(value, [0.1, 0.25, 0.5, 0.75, 0.9]) AS quantiles
FROM pairs
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END, metric_no
