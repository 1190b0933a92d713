-- The mean difference of a model from the baseline on a metric, and how the differences spread.
--
-- Grain:  one row per (model, metric), and with slices one per (model, slice, metric).
-- Params: none.
-- Source: the standard deviation of a sample. The squares are taken about a whole number of steps near the mean, in
--         exact arithmetic, so that equal differences have the standard deviation 0.
-- Edges:  queries counts the pairs, unpaired the queries that count for only one of the two. The means are NULL without
--         pairs, sd for fewer than two. is_share and is_binary are of the values of a model alone: all are from 0 to 1,
--         or all are 0 or 1. Only DuckDB runs this file and those that read it.
SELECT
  model,
  is_slice,
  level_slice,
  metric_no,
  queries,
  counted + coalesce(base_counted, 0) - 2 * queries AS unpaired,
  base_sum / nullif(queries, 0) * scaled_by AS base_mean,
  own_sum / nullif(queries, 0) * scaled_by AS mean,
  CAST(steps_sum AS DOUBLE) / nullif(queries, 0) * step AS delta,
  CASE
    WHEN queries > 1
      THEN
        sqrt(
          greatest(
            CAST(squares - center * (2 * steps_sum - queries * center) AS DOUBLE)
            - power(CAST(steps_sum - queries * center AS DOUBLE), 2) / queries,
            0
          )
          / (queries - 1)
        )
        * step
  END AS sd,
  wins,
  queries - wins - losses AS ties,
  losses,
  losses = 0 AND scaled_by = 1 AS is_share,
  queries > 1
  AND losses = 0
  AND scaled_by = 1
  AND CAST(squares AS DOUBLE) = CAST(steps_sum AS DOUBLE) * power_of_2(40) AS is_binary
FROM (
  SELECT
    *,
    scaled_by / power_of_2(40) AS step,
    CAST(round(CAST(steps_sum AS DOUBLE) / nullif(queries, 0)) AS DECIMAL(38, 0)) AS center
  FROM sums
  LEFT JOIN (
    SELECT
      is_slice AS own_is_slice,
      level_slice AS own_slice,
      metric_no AS own_metric_no,
      base_counted
    FROM base_counts
  ) AS of_baseline
    ON
      is_slice = own_is_slice
      AND metric_no = own_metric_no
      AND level_slice IS NOT DISTINCT FROM own_slice
) AS centered
