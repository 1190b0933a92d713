-- The weight of every query. Only exact sums need the scale of ../weighted.sql.
--
-- Grain:  one row per query of the user's relation.
-- Params: none.
SELECT
  query,
  weight AS query_weight
FROM weights
