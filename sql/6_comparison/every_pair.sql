-- The values of every two models for the same query.
--
-- Grain:  one row per (pair of models, query of the second model); model is the number of the pair, as text.
-- Params: none.
-- Reads:  model_pairs: pair, first_model, model, one row per pair.
-- Edges:  the values of the first model are NULL for a query that it lacks. Columns whose names end in `_of_metric` are
--         repeated for each metric.
SELECT
  pair AS model,
  query,
  slice,
  item_slice_no,
  value_of_metric,
  base_of_metric
FROM per_query
INNER JOIN model_pairs USING (model)
LEFT JOIN (
  SELECT
    model AS first_model,
    query,
    item_slice_no,
    value_of_metric AS base_of_metric
  FROM per_query
) AS of_first_models USING (first_model, query, item_slice_no)
