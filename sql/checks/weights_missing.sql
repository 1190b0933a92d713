-- Judged queries without a weight, or all judged queries if no weight is above 0.
--
-- Grain:  one row per such query, whatever the number of models.
-- When:   weights = given
-- Seen:   lists
-- Rule:   a judged query has no weight, or no weight is above 0
-- Do:     Give every judged query a weight, and at least one a weight above 0. A weight of 0 leaves a query out of
--         the mean.
SELECT DISTINCT query
FROM per_query
WHERE query_weight IS NULL AND item_slice_no < 1
