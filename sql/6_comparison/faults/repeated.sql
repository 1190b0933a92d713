-- Queries that a file of values holds twice.
--
-- Grain:  one row per such (model, query).
-- Rule:   a query is in several rows of one file
-- Do:     Keep one row for each query, or name all columns that identify a query, as in query=['user', 'day'].
SELECT
  model,
  query
FROM per_query
GROUP BY model, query
HAVING count(*) > 1
