-- Queries for which a metric of the user's own has more than one value.
--
-- Grain:  one row per such (model, query).
-- When:   metrics = own
-- Rule:   a metric file of your own ({own_metrics}) gives more than one row for a query
-- Do:     Let its SELECT have one row per model and query (per model, if it is of the whole run): aggregate, GROUP BY.
SELECT
  model,
  query,
  count(*) AS copies
FROM per_query
GROUP BY model, query
HAVING count(*) > 1
