-- What every test of paired values needs: exact sums of the values, the differences and their squares, and counts.
--
-- Grain:  one row per (model, metric) (is_slice = 0), and with slices one per (model, slice, metric) (is_slice = 1).
-- Params: $sliced: true with slices; $tie_within, the largest difference that is a tie; $baseline, the model that the
--         others are compared with.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. A slice of the baseline is there for every model, with a row
--         that counts its queries. base_counted has the queries of the baseline, counted those of the model, queries
--         the pairs. Sums of values are divided by the scale. The order of rows changes no bit. The query is left out
--         before grouping, because DataFusion 55 would group by it too. Columns whose names end in `_of_metric` are
--         repeated for each metric; number_of_metric is its metric_no.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  metric_no,
  sum(base_counted) AS base_counted,
  count(value) AS counted,
  count(steps) AS queries,
  exact_sum_of_many(CASE WHEN steps IS NOT NULL THEN value / scale END) AS own_sum,
  exact_sum_of_many(CASE WHEN steps IS NOT NULL THEN base / scale END) AS base_sum,
  max(scale) AS scaled_by,
  CAST(sum(steps) AS DECIMAL(38, 0)) AS steps_sum,
  sum(CAST(steps AS DECIMAL(38, 0)) * CAST(steps AS DECIMAL(38, 0))) AS squares,
  count(CASE WHEN steps > $tie_within / scale * power_of_2(40) THEN 1 END) AS wins,
  count(CASE WHEN steps < -($tie_within / scale * power_of_2(40)) THEN 1 END) AS losses
FROM (
  SELECT
    model,
    slice,
    item_slice_no,
    metric_no,
    value,
    base,
    steps,
    scale,
    0 AS base_counted
  FROM pairs
  UNION ALL
  SELECT
    model,
    slice,
    item_slice_no,
    metric_no,
    CAST(NULL AS DOUBLE) AS value,
    CAST(NULL AS DOUBLE) AS base,
    CAST(NULL AS BIGINT) AS steps,
    CAST(NULL AS DOUBLE) AS scale,
    CASE metric_no WHEN number_of_metric THEN count_of_metric END AS base_counted
  FROM (
    SELECT
      slice,
      item_slice_no,
      count(value_of_metric) AS count_of_metric
    FROM per_query
    WHERE model = $baseline
    GROUP BY slice, item_slice_no
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT model
    FROM per_query
    WHERE model <> $baseline
    GROUP BY model
  ) AS models_compared
  CROSS JOIN metrics
) AS values_of_pairs
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END, metric_no
