-- Rows of a file of values without a query.
--
-- Grain:  one row per such row.
-- Params: $model, the model; NULL for all models.
-- Rule:   a row has no query
-- Do:     Fill in the query, or remove the row.
SELECT query
FROM per_query
WHERE ($model IS NULL OR model = $model) AND NOT (query IS NOT NULL)
