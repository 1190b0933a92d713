-- The depths of lists, with the sum of p^d / d over the depths d down to each, for rank-biased overlap.
--
-- Grain:  one row per depth, from 1 to the length of the longest list.
-- Params: $p, the probability of looking at the next rank.
-- Edges:  weight_above is the sum without this depth. Summed exactly in units of 2^-80.
SELECT
  depth,
  weight_here,
  weight_here - weight AS weight_above
FROM (
  SELECT
    depth,
    weight,
    from_units(
      sum(as_units(weight)) OVER (ORDER BY depth ASC NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    ) AS weight_here
  FROM (
    SELECT
      rank AS depth,
      power($p, CAST(rank AS DOUBLE)) / CAST(rank AS DOUBLE) AS weight
    FROM ranked
    WHERE is_recommended = 1
    GROUP BY rank
  ) AS weighted_depths
) AS summed
