-- Queries with more than one weight.
--
-- Grain:  one row per such query.
-- When:   weights = given
-- Rule:   a query has more than one weight
-- Do:     Keep one row per query in the weights.
SELECT
  query,
  count(*) AS copies
FROM weights
GROUP BY query
HAVING count(*) > 1
