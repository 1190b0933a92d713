-- The values of a model and of the baseline for the same query, and their difference in whole steps of 2^-40.
--
-- Grain:  one row per (model, query, metric), without the baseline.
-- Params: $baseline, the model that the others are compared with; $same_slices: true if a query has the same slice
--         under every model.
-- Edges:  a query is a pair if both values are there, in the same slice; otherwise steps is NULL. Differences are
--         rounded to whole steps, so that equal differences have the same bits, whatever the values are. Models are
--         joined in a subquery, before there is a row for each metric: DuckDB 2.0 may otherwise join each of these rows
--         with all columns. Columns whose names end in `_of_metric` are repeated for each metric; number_of_metric is
--         its metric_no.
SELECT
  model,
  query,
  slice,
  item_slice_no,
  metric_no,
  value,
  base,
  CAST(
    round(
      (
        CASE WHEN $same_slices OR (1 = 1 AND slice IS NOT DISTINCT FROM base_slice) THEN value / scale END
        - base / scale
      )
      * power_of_2(40)
    ) AS BIGINT
  ) AS steps,
  scale
FROM (
  SELECT
    model,
    query,
    slice,
    base_slice,
    item_slice_no,
    metric_no,
    CASE metric_no WHEN number_of_metric THEN value_of_metric END AS value,
    CASE metric_no WHEN number_of_metric THEN base_of_metric END AS base,
    scale
  FROM (
    SELECT
      model,
      query,
      slice,
      base_slice,
      item_slice_no,
      value_of_metric,
      base_of_metric
    FROM per_query
    LEFT JOIN (
      SELECT
        query,
        item_slice_no,
        slice AS base_slice,
        value_of_metric AS base_of_metric
      FROM per_query
      WHERE model = $baseline
    ) AS of_baseline USING (query, item_slice_no)
    WHERE model <> $baseline
  ) AS joined_models
  CROSS JOIN scales
) AS values_of_both
