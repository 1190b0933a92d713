-- The differences of the pairs in whole steps, as a list in the order of the queries: to draw random samples.
--
-- Grain:  one row per (model, metric) (is_slice = 0), and with slices one per (model, slice, metric) (is_slice = 1), if
--         it has a pair.
-- Params: $sliced: true with slices.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. Only DuckDB runs this file.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  metric_no,
  list(steps ORDER BY query ASC NULLS FIRST) AS steps_list
FROM pairs
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
WHERE
  steps IS NOT NULL
  AND ((is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL))
GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END, metric_no
