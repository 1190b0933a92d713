-- The values of a model in whole steps of 2^-40, as differences from 0: for the interval of a mean.
--
-- Grain:  one row per (model, query, metric).
-- Params: none.
-- Edges:  the columns of pairs/baseline. Columns whose names end in `_of_metric` are repeated for each metric;
--         number_of_metric is its metric_no.
SELECT
  model,
  query,
  slice,
  item_slice_no,
  metric_no,
  value,
  value * 0 AS base,
  CAST(round(value / scale * power_of_2(40)) AS BIGINT) AS steps,
  scale
FROM (
  SELECT
    model,
    query,
    slice,
    item_slice_no,
    metric_no,
    CASE metric_no WHEN number_of_metric THEN value_of_metric END AS value,
    scale
  FROM per_query
  CROSS JOIN scales
) AS values_of_metrics
