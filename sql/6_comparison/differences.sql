-- The mean difference of a model from the baseline on a metric, and how the differences spread.
--
-- Grain:  one row per (model, metric), and with slices one per (model, slice, metric).
-- Params: $metric_no, the number of each metric.
-- Source: the standard deviation of a sample. The squares are taken about a whole number of steps near the mean, in
--         exact arithmetic, so that equal differences have the standard deviation 0.
-- Edges:  queries counts the pairs, unpaired the queries that count for only one of the two. The means are NULL without
--         pairs, sd for fewer than two. The columns that start with `value` are repeated for each metric. Only DuckDB
--         runs this file and those that read it.
SELECT
  model,
  is_slice,
  level_slice,
  metric_no,
  queries,
  counted + base_counted - 2 * queries AS unpaired,
  base_sum / nullif(queries, 0) * scale AS base_mean,
  own_sum / nullif(queries, 0) * scale AS mean,
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
  losses
FROM (
  SELECT
    *,
    scale / power_of_2(40) AS step,
    CAST(round(CAST(steps_sum AS DOUBLE) / nullif(queries, 0)) AS DECIMAL(38, 0)) AS center
  FROM (
    SELECT
      model,
      is_slice,
      level_slice,
      metric_no,
      CASE metric_no WHEN $metric_no THEN value_count END AS counted,
      coalesce(CASE metric_no WHEN $metric_no THEN value_base_count END, 0) AS base_counted,
      CASE metric_no WHEN $metric_no THEN value_pairs END AS queries,
      CASE metric_no WHEN $metric_no THEN value_sum END AS own_sum,
      CASE metric_no WHEN $metric_no THEN value_base_sum END AS base_sum,
      CASE metric_no WHEN $metric_no THEN value_scaled_by END AS scale,
      CASE metric_no WHEN $metric_no THEN value_steps_sum END AS steps_sum,
      CASE metric_no WHEN $metric_no THEN value_squares END AS squares,
      CASE metric_no WHEN $metric_no THEN value_wins END AS wins,
      CASE metric_no WHEN $metric_no THEN value_losses END AS losses
    FROM sums
    LEFT JOIN (
      SELECT
        is_slice AS own_is_slice,
        level_slice AS own_slice,
        value_base_count
      FROM base_counts
    ) AS of_baseline ON is_slice = own_is_slice AND level_slice IS NOT DISTINCT FROM own_slice
    CROSS JOIN metrics
  ) AS of_metric
) AS centered
