-- The randomization test: how often is the sum of differences with random signs at least as far from 0 as theirs?
--
-- Grain:  the rows and columns of bounded, and p.
-- Params: none.
-- Source: Smucker, Allan and Carterette, CIKM 2007.
-- Edges:  p counts all combinations of signs where exact_flips has them, otherwise the samples, which include the
--         differences as they are. It is NULL without pairs, and 1 where no difference is other than 0.
SELECT
  bounded.*,
  CASE WHEN queries > 0 THEN coalesce(own_p, 1) END AS p
FROM bounded
LEFT JOIN (
  SELECT
    model AS own_model,
    is_slice AS own_is_slice,
    level_slice AS own_slice,
    metric_no AS own_metric_no,
    CASE WHEN max(is_exact) = 1 THEN max(CASE WHEN is_exact = 1 THEN p END) ELSE max(p) END AS own_p
  FROM (
    SELECT
      0 AS is_exact,
      model,
      is_slice,
      level_slice,
      metric_no,
      p
    FROM sampled_flips
    UNION ALL
    SELECT
      1 AS is_exact,
      model,
      is_slice,
      level_slice,
      metric_no,
      p
    FROM exact_flips
  ) AS both_ways
  GROUP BY model, is_slice, level_slice, metric_no
) AS flipped
  ON
    model = own_model
    AND is_slice = own_is_slice
    AND metric_no = own_metric_no
    AND level_slice IS NOT DISTINCT FROM own_slice
