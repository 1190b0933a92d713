-- What every test of paired values needs: exact sums of the values, the differences and their squares, and counts.
--
-- Grain:  one row per model (is_slice = 0), and with slices one per (model, slice) (is_slice = 1).
-- Params: $sliced: true with slices; $tie_within, the largest difference that is a tie; $baseline, the model that the
--         others are compared with.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. A slice of the baseline is there for every model, with a row
--         of NULLs that counts nothing. Sums of values are divided by the scale. The order of rows changes no bit.
--         `value` and the columns that start with it are repeated for each metric. The query is left out before
--         grouping, because DataFusion 55 would group by it too.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  count(value) AS value_count,
  count(value_steps) AS value_pairs,
  exact_sum_of_many(CASE WHEN value_steps IS NOT NULL THEN value / value_scale END) AS value_sum,
  exact_sum_of_many(CASE WHEN value_steps IS NOT NULL THEN value_base / value_scale END) AS value_base_sum,
  max(value_scale) AS value_scaled_by,
  CAST(sum(value_steps) AS DECIMAL(38, 0)) AS value_steps_sum,
  sum(CAST(value_steps AS DECIMAL(38, 0)) * CAST(value_steps AS DECIMAL(38, 0))) AS value_squares,
  count(CASE WHEN value_steps > $tie_within / value_scale * power_of_2(40) THEN 1 END) AS value_wins,
  count(CASE WHEN value_steps < -($tie_within / value_scale * power_of_2(40)) THEN 1 END) AS value_losses
FROM (
  SELECT
    model,
    slice,
    item_slice_no,
    value,
    value_base,
    value_steps,
    value_scale
  FROM pairs
  UNION ALL
  SELECT
    model,
    slice,
    item_slice_no,
    CASE WHEN model = base_model THEN value_base END AS value,
    CASE WHEN model = base_model THEN value_base END AS value_base,
    CAST(CASE WHEN model = base_model THEN value_base END AS BIGINT) AS value_steps,
    CASE WHEN model = base_model THEN value_base END AS value_scale
  FROM (
    SELECT
      model AS base_model,
      slice,
      item_slice_no,
      min(value) AS value_base
    FROM per_query
    WHERE model = $baseline
    GROUP BY model, slice, item_slice_no
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT model
    FROM pairs
    GROUP BY model
  ) AS models_compared
) AS values_of_pairs
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END
