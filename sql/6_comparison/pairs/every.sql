-- The values of two models for the same query, and their difference in whole steps of 2^-40, for every two models.
--
-- Grain:  one row per (pair of models, query, metric); model is the number of the pair.
-- Params: none.
-- Edges:  the columns of pairs/baseline, from the relation every_pair under the name per_query. Columns whose names end
--         in `_of_metric` are repeated for each metric; number_of_metric is its metric_no.
SELECT
  model,
  query,
  slice,
  item_slice_no,
  metric_no,
  value,
  base,
  CAST(round((value / scale - base / scale) * power_of_2(40)) AS BIGINT) AS steps,
  scale
FROM (
  SELECT
    model,
    query,
    slice,
    item_slice_no,
    metric_no,
    CASE metric_no WHEN number_of_metric THEN value_of_metric END AS value,
    CASE metric_no WHEN number_of_metric THEN base_of_metric END AS base,
    scale
  FROM per_query
  CROSS JOIN scales
) AS values_of_both
