-- The values of all judged queries of a model as lists, in the same order, and the types of their keys.
--
-- Grain:  one row per model.
-- Params: none.
-- Plan:   for questions with few rows: its columns are computed with averages, from per_query/lists.
-- Edges:  `value` is repeated for each metric.
SELECT
  model,
  typeof(model) AS type_of_model,
  min(typeof(query)) AS type_of_query,
  min(typeof(slice)) AS type_of_slice,
  list(CAST(query AS VARCHAR)) FILTER (WHERE is_judged = 1) AS listed_query,
  list(CAST(slice AS VARCHAR)) FILTER (WHERE is_judged = 1) AS listed_slice,
  list(query_weight) FILTER (WHERE is_judged = 1) AS listed_query_weight,
  list(relevant) FILTER (WHERE is_judged = 1) AS listed_relevant,
  list(retrieved) FILTER (WHERE is_judged = 1) AS listed_retrieved,
  list(value) FILTER (WHERE is_judged = 1) AS listed_value
FROM per_query
GROUP BY model
