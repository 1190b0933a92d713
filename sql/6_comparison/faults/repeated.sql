-- Queries that the values of a model hold twice.
--
-- Grain:  one row per such query.
-- Params: $model, the model; NULL for all models, which is slower if there are many rows.
-- Rule:   a query is in several rows
-- Do:     Keep one row for each query, or pass all columns that identify a query as query=.
--         If rows are of slices of items, pass their columns as item_by=.
SELECT query
FROM per_query
WHERE $model IS NULL OR model = $model
GROUP BY model, query, item_slice_no
HAVING count(*) > 1
