-- Wilson's interval of a mean of values from 0 to 1, whose variance is at most that of zeros and ones of the same mean.
--
-- Grain:  the rows and columns of differences, and low and high.
-- Params: $normal_critical, the normal critical value of the confidence, as in 1.96.
-- Source: Wilson, Probable Inference, Journal of the American Statistical Association, 1927.
-- Edges:  NULL for fewer than two queries, and for a metric with other values.
SELECT
  *,
  CASE WHEN queries > 1 AND is_share THEN greatest(middle - half_width, 0) END AS low,
  CASE WHEN queries > 1 AND is_share THEN least(middle + half_width, 1) END AS high
FROM (
  SELECT
    *,
    (delta + $normal_critical * $normal_critical / (2 * nullif(queries, 0)))
    / (1 + $normal_critical * $normal_critical / nullif(queries, 0)) AS middle,
    $normal_critical
    * sqrt(
      greatest(delta * (1 - delta), 0) / nullif(queries, 0)
      + power($normal_critical / (2 * nullif(queries, 0)), 2)
    )
    / (1 + $normal_critical * $normal_critical / nullif(queries, 0)) AS half_width
  FROM differences
) AS with_widths
