-- Rows of query_slices without a query.
--
-- Grain:  one row per such row of query_slices.
-- When:   slices = query_slices; nulls = error, last
-- Order:  2
-- Rule:   {query} is NULL in query_slices
-- Do:     Fill in the value, or remove the row.
SELECT query
FROM query_slices
WHERE NOT (query IS NOT NULL)
