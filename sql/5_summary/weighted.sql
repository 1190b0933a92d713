-- The weight of every query, on a scale on which the largest is between 1 and 2.
--
-- Grain:  one row per query of the user's relation.
-- Params: none.
-- Edges:  the scale is a power of two, so that it changes no bit of a weight. No weight above 0: no row.
SELECT
  query AS query,
  weight / power(CAST(2 AS DOUBLE), floor(ln(top_weight) / ln(CAST(2 AS DOUBLE)))) AS query_weight
FROM weights
CROSS JOIN (
  SELECT max(weight) AS top_weight FROM weights
  HAVING max(weight) > 0
) AS largest
