-- The values of a model and of the baseline for the same query, and their difference in whole steps of 2^-40.
--
-- Grain:  one row per (model, query), without the baseline.
-- Params: $baseline, the model that the others are compared with; $same_slices: true if a query has the same slice
--         under every model.
-- Edges:  a query is a pair if both values are there, in the same slice; otherwise value_steps is NULL. Differences are
--         rounded to whole steps, so that equal differences have the same bits, whatever the values are. `value` and
--         the columns that start with it are repeated for each metric.
SELECT
  model,
  query,
  slice,
  item_slice_no,
  value,
  value_base,
  CAST(
    round(
      (
        CASE WHEN $same_slices OR (1 = 1 AND slice IS NOT DISTINCT FROM base_slice) THEN value / value_scale END
        - value_base / value_scale
      )
      * power_of_2(40)
    ) AS BIGINT
  ) AS value_steps,
  value_scale
FROM per_query
LEFT JOIN (
  SELECT
    query,
    item_slice_no,
    slice AS base_slice,
    value AS value_base
  FROM per_query
  WHERE model = $baseline
) AS of_baseline USING (query, item_slice_no)
CROSS JOIN scales
WHERE model <> $baseline
