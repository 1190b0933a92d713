-- The interval and the spread of every mean in long form.
--
-- Grain:  one row per (model, metric, k), and with slices one per (model, slice, metric, k).
-- Params: none.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  standard_error is that of the mean. is_binary is true if all values are 0 or 1, is_share if all are from 0 to
--         1. The slice columns are NULL in the rows over all queries, which come first.
SELECT
  model,
  level_slice AS slice,
  metric,
  k,
  queries,
  mean AS value,
  sd,
  sd / sqrt(queries) AS standard_error,
  low,
  high,
  quantiles[1] AS q10,
  quantiles[2] AS q25,
  quantiles[3] AS median,
  quantiles[4] AS q75,
  quantiles[5] AS q90,
  is_binary,
  is_share
FROM bounded
INNER JOIN metrics USING (metric_no)
INNER JOIN (
  SELECT
    model AS own_model,
    is_slice AS own_is_slice,
    level_slice AS own_slice,
    metric_no AS own_metric_no,
    quantiles
  FROM quantiles
) AS own_quantiles
  ON
    model = own_model
    AND is_slice = own_is_slice
    AND metric_no = own_metric_no
    AND level_slice IS NOT DISTINCT FROM own_slice
ORDER BY model ASC NULLS FIRST, is_slice ASC NULLS FIRST, level_slice ASC NULLS FIRST, metric_no ASC NULLS FIRST
