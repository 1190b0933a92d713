-- Queries that the values of a model hold twice.
--
-- Grain:  one row per such query.
-- Params: none.
-- Rule:   a query is in several rows
-- Do:     Keep one row for each query, or pass all columns that identify a query as query=.
--         If rows are of slices of items, pass their columns as item_by=.
SELECT
  model,
  query
FROM per_query
GROUP BY model, query, item_slice_no
HAVING count(*) > 1
ORDER BY model ASC NULLS FIRST, query ASC NULLS FIRST
