-- The weight of every query, as a share of the largest.
--
-- Grain:  one row per query of the user's relation.
-- Params: none.
SELECT
  query AS query,
  weight / nullif(max(weight) OVER (), 0) AS query_weight
FROM weights
