-- Runs without rows, where other runs have some.
--
-- Grain:  one row per such model.
-- When:   models = named
-- Reads:  named_models: model, a row per run or score column that the user names.
-- Order:  1
-- Rule:   a run has no rows
-- Do:     Check the path or the query behind it, and nulls='drop', exclude= or items= if you pass it.
SELECT model
FROM named_models
LEFT JOIN (
  SELECT
    model,
    1 AS is_held
  FROM per_query
  GROUP BY model
) AS held_models USING (model)
WHERE coalesce(is_held, 0) = 0
