-- Rows of a file of values without a query.
--
-- Grain:  one row per such row.
-- Params: $model, the model.
-- Rule:   a row has no query
-- Do:     Fill in the query, or remove the row.
SELECT query
FROM per_query
WHERE model = $model AND NOT (query IS NOT NULL)
