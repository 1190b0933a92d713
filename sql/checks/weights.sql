-- Rows of weights without a query or a valid weight.
--
-- Grain:  one row per such row of the weights.
-- When:   weights = given
-- Rule:   a query or weight is NULL in weights, or a weight is negative or infinite
-- Do:     Give every query a finite weight of 0 or more.
SELECT
  query,
  weight
FROM weights
WHERE NOT (query IS NOT NULL) OR weight IS NULL OR weight < 0 OR weight > CAST(1.7e308 AS DOUBLE)
