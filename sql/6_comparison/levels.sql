-- The queries of all slices together (is_slice = 0), and with slices those of each (is_slice = 1).
--
-- Grain:  one row per (model, query) and level.
-- Params: $sliced: true with slices.
-- Edges:  level_place numbers the queries of a level, from 0, the same under every model. `value_steps` and
--         `value_scale` are repeated for each metric.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  CASE WHEN is_slice = 1 THEN slice_no ELSE 0 END AS level_no,
  CASE
    WHEN is_slice = 1 THEN place
    ELSE dense_rank() OVER (PARTITION BY is_slice ORDER BY slice_no ASC NULLS FIRST, place ASC NULLS FIRST) - 1
  END AS level_place,
  value_steps,
  value_scale
FROM placed
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS both_levels
WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
