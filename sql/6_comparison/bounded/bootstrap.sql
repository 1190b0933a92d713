-- The bootstrap interval of the mean difference: percentiles of the means of samples drawn with replacement.
--
-- Grain:  the rows and columns of differences, and low and high.
-- Params: $confidence, the share of samples between low and high.
-- Source: Efron, Bootstrap Methods, Annals of Statistics, 1979.
-- Edges:  NULL for fewer than two pairs.
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
    own_low,
    own_high
  FROM (
    SELECT
      model,
      level_no,
      metric_no,
      quantile_cont(mean * (scale / power_of_2(40)), (1 - $confidence) / 2) AS own_low,
      quantile_cont(mean * (scale / power_of_2(40)), (1 + $confidence) / 2) AS own_high
    FROM resampled
    INNER JOIN scales USING (metric_no)
    GROUP BY model, level_no, metric_no
  ) AS percentiles
  INNER JOIN (
    SELECT
      is_slice,
      level_slice,
      level_no
    FROM levels
    GROUP BY is_slice, level_slice, level_no
  ) AS level_numbers USING (level_no)
) AS of_samples
  ON
    model = own_model
    AND is_slice = own_is_slice
    AND metric_no = own_metric_no
    AND level_slice IS NOT DISTINCT FROM own_slice
