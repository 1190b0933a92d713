-- Weights that are no weights.
--
-- Grain:  one row per such row of the weights.
-- When:   weights = given
-- Rule:   a query or weight is NULL, or a weight is negative or infinite
-- Do:     Give every query a number of 0 or above.
SELECT
  query,
  weight
FROM weights
WHERE NOT (query IS NOT NULL) OR weight IS NULL OR weight < 0 OR weight > CAST(1.7e308 AS DOUBLE)
