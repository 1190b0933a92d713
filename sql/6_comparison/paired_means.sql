-- The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %.
--
-- Grain:  one row per (model, metric), and with slices one per (model, slice, metric).
-- Params: none.
-- Reads:  metrics: metric_no, metric, k, one row per metric.
-- Edges:  the means are NULL without pairs, sd, low and high for fewer than two, t also where all differences are
--         equal. The slice columns are NULL in the rows over all queries.
SELECT
  model,
  level_slice AS slice,
  metric,
  queries,
  base_sum / nullif(pairs, 0) * scale AS baseline,
  own_sum / nullif(pairs, 0) * scale AS value,
  delta,
  sd,
  delta - half_width AS low,
  delta + half_width AS high,
  wins,
  queries - wins - losses AS ties,
  losses,
  delta / nullif(sd / sqrt(pairs), 0) AS t
FROM (
  SELECT
    model,
    level_slice,
    metric,
    queries,
    pairs,
    own_sum,
    base_sum,
    scale,
    delta,
    sd,
    student_critical_95(df) * sd / sqrt(pairs) AS half_width,
    wins,
    losses
  FROM (
    SELECT
      model,
      level_slice,
      metric,
      queries,
      pairs,
      own_sum,
      base_sum,
      scale,
      pairs - 1 AS df,
      middle * step AS delta,
      CASE
        WHEN pairs > 1
          THEN sqrt(CASE WHEN squares_left < 0 THEN CAST(0 AS DOUBLE) ELSE squares_left END / (pairs - 1)) * step
      END AS sd,
      wins,
      losses
    FROM (
      SELECT
        model,
        level_slice,
        metric,
        queries,
        pairs,
        own_sum,
        base_sum,
        scale,
        step,
        middle,
        CAST(squares - center * (2 * steps_sum - CAST(queries AS DECIMAL(38, 0)) * center) AS DOUBLE)
        - power(CAST(steps_sum - CAST(queries AS DECIMAL(38, 0)) * center AS DOUBLE), 2) / nullif(pairs, 0)
          AS squares_left,
        wins,
        losses
      FROM (
        SELECT
          model,
          level_slice,
          metric,
          queries,
          pairs,
          own_sum,
          base_sum,
          scale,
          step,
          steps_sum,
          middle,
          CAST(round(middle) AS DECIMAL(38, 0)) AS center,
          squares,
          wins,
          losses
        FROM (
          SELECT
            model,
            level_slice,
            metric,
            queries,
            CAST(queries AS DOUBLE) AS pairs,
            own_sum,
            base_sum,
            scaled_by AS scale,
            scaled_by / power_of_2(40) AS step,
            steps_sum,
            CAST(steps_sum AS DOUBLE) / nullif(queries, 0) AS middle,
            squares,
            wins,
            losses
          FROM sums
          INNER JOIN metrics USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
