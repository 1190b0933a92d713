-- Weights above 0 that are too small to count next to the largest.
--
-- Grain:  one row per judged query with such a weight.
-- When:   weights = given
-- Rule:   a weight is above 0, but less than one billionth (1e-9) of the largest
-- Do:     Set it to 0, which leaves the query out of the mean, or bring the weights closer together.
SELECT
  query,
  query_weight AS share_of_largest
FROM weighted
WHERE query_weight > 0 AND query_weight < CAST(1e-9 AS DOUBLE)
