-- The values of per_query, with a row of NULLs for a model without judged queries, for empty = allow.
--
-- Grain:  one row per (model, judged query), and one per model that has none.
-- Params: $may_be_empty: true for empty = allow, unless the run was read and holds no model.
-- Else:   per_query
-- Reads:  named_models: model, a row per run or score column that the user names.
-- Edges:  a NULL counts in no mean, so the mean of such a model is NULL, over 0 queries.
SELECT
  model,
  CASE WHEN is_judged = 1 THEN slice END AS slice,
  CASE WHEN is_judged = 1 THEN item_slice_no ELSE 0 END AS item_slice_no,
  CASE WHEN is_judged = 1 THEN relevant END AS relevant,
  CASE WHEN is_judged = 1 THEN retrieved END AS retrieved,
  CASE WHEN is_judged = 1 THEN run_queries END AS run_queries,
  CASE WHEN is_judged = 1 THEN query_weight END AS query_weight,
  CASE WHEN is_judged = 1 THEN value END AS value
FROM named_models
LEFT JOIN (
  SELECT
    model AS own_model,
    slice,
    item_slice_no,
    relevant,
    retrieved,
    run_queries,
    query_weight,
    value,
    1 AS is_judged
  FROM per_query
) AS judged_queries
  ON 1 = 1 AND model = own_model
WHERE $may_be_empty OR is_judged = 1
