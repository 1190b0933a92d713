-- The models that the user named, for empty = allow: a model without rows is one too.
--
-- Grain:  one row per model.
-- Params: none.
-- Reads:  named_models: model, a row per run or score column that the user names; given_models for a model column.
SELECT
  model,
  coalesce(retrieved_queries, 0) AS run_queries
FROM named_models
LEFT JOIN (
  SELECT
    model,
    count(*) AS retrieved_queries
  FROM retrieved
  GROUP BY model
) AS counted USING (model)
