-- Runs without rows, if other runs have rows.
--
-- Grain:  one row per such model.
-- When:   models = named; empty = error
-- Seen:   lists, one_pass
-- Reads:  named_models: model, a row per run or score column that the user names.
-- Order:  1
-- Rule:   a run has no rows
-- Do:     Check the path or SQL of this run, and whether nulls='drop', unjudged='drop', exclude=, items=, or depth=
--         with ranks='given' removes all its rows.
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
