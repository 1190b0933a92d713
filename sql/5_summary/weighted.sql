-- The weight of every judged query, scaled so that the largest is between 1 and 2.
--
-- Grain:  one row per judged query of the user's relation.
-- Params: none.
-- Edges:  the scale is a power of two, so it changes no bit of a weight. Without a weight above 0 there is no row.
SELECT
  query,
  weight / power(CAST(2 AS DOUBLE), floor(ln(top_weight) / ln(CAST(2 AS DOUBLE)))) AS query_weight
FROM (
  SELECT
    query,
    weight,
    max(weight) OVER () AS top_weight
  FROM weights
  INNER JOIN (
    SELECT query
    FROM judgements
    GROUP BY query
  ) AS judged_queries USING (query)
) AS scaled
WHERE top_weight > 0
