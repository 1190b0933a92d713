-- Rows of a file of values without a query.
--
-- Grain:  one row per such row.
-- Params: none.
-- Rule:   a row has no query
-- Do:     Fill in the query, or remove the row.
SELECT
  model,
  query
FROM per_query
WHERE NOT (query IS NOT NULL)
ORDER BY model ASC NULLS FIRST
