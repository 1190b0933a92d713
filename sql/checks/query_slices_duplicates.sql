-- Queries with more than one row in query_slices.
--
-- Grain:  one row per such query.
-- When:   slices = query_slices
-- Rule:   a query ({query}) has more than one row in query_slices
-- Do:     Keep one row for each query. To slice by overlapping groups, evaluate once for each.
SELECT
  query,
  count(*) AS copies
FROM query_slices
GROUP BY query
HAVING count(*) > 1
