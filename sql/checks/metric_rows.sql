-- Queries for which a metric from the user's files has more than one value.
--
-- Grain:  one row per such (model, query).
-- When:   metrics = own
-- Rule:   a metric from your files ({own_metrics}) has more than one row for a query
-- Do:     Aggregate with GROUP BY, so that its SELECT returns one row per model and query, or one row per model for a
--         metric of the whole run.
SELECT
  model,
  query,
  count(*) AS copies
FROM per_query
GROUP BY model, query, item_slice_no
HAVING count(*) > 1
