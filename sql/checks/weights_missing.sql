-- Judged queries that have no weight, or of which none has one above 0.
--
-- Grain:  one row per such (model, query).
-- When:   weights = given
-- Rule:   a judged query has no weight, or no weight is above 0
-- Do:     Give every judged query a weight: 0 leaves it out of the mean.
SELECT
  model,
  query
FROM per_query
WHERE query_weight IS NULL
