-- The number of queries that count for the baseline.
--
-- Grain:  a single row (is_slice = 0), and with slices one per slice of the baseline (is_slice = 1).
-- Params: $baseline, the model that the others are compared with; $sliced: true with slices.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. `value` and `value_base_count` are repeated for each metric.
SELECT
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  count(value) AS value_base_count
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
