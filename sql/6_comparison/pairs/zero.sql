-- The values of a model in whole steps of 2^-40, as differences from 0: for the interval of a mean.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Edges:  the columns of pairs/baseline. `value` and the columns that start with it are repeated for each metric.
SELECT
  model,
  query,
  slice,
  item_slice_no,
  value,
  value * 0 AS value_base,
  CAST(round(value / value_scale * power_of_2(40)) AS BIGINT) AS value_steps,
  value_scale
FROM per_query
CROSS JOIN scales
