-- The bootstrap interval of the mean difference: percentiles of the means of samples drawn with replacement.
--
-- Grain:  the rows and columns of differences, and low and high.
-- Params: $confidence, the share of samples between low and high; $metric_no, the number of each metric.
-- Source: Efron, Bootstrap Methods, Annals of Statistics, 1979.
-- Edges:  NULL for fewer than two pairs. The columns that start with `value` are repeated for each metric.
SELECT
  differences.*,
  CASE WHEN queries > 1 THEN own_low END AS low,
  CASE WHEN queries > 1 THEN own_high END AS high
FROM differences
LEFT JOIN (
  SELECT
    model AS own_model,
    is_slice AS own_is_slice,
    level_slice AS own_slice,
    metric_no AS own_metric_no,
    CASE metric_no WHEN $metric_no THEN value_low END AS own_low,
    CASE metric_no WHEN $metric_no THEN value_high END AS own_high
  FROM (
    SELECT
      model,
      level_no,
      quantile_cont(value_mean, (1 - $confidence) / 2) AS value_low,
      quantile_cont(value_mean, (1 + $confidence) / 2) AS value_high
    FROM resampled
    GROUP BY model, level_no
  ) AS percentiles
  INNER JOIN (
    SELECT
      is_slice,
      level_slice,
      level_no
    FROM levels
    GROUP BY is_slice, level_slice, level_no
  ) AS level_numbers USING (level_no)
  CROSS JOIN metrics
) AS of_samples
  ON
    model = own_model
    AND is_slice = own_is_slice
    AND metric_no = own_metric_no
    AND level_slice IS NOT DISTINCT FROM own_slice
