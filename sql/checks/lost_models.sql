-- Models whose rows are all left out, so the result would not name them.
--
-- Grain:  one row per such model.
-- Edges:  with empty qrels, no model is lost: empty='allow' keeps all of them. The queries are not counted: if every
--         model is lost, none is left.
-- When:   models = column; left_out = rows; dbt = no
-- Rule:   every row of a model is left out, or all its lists are empty
-- Do:     Check whether nulls='drop', unjudged='drop', exclude=, items=, or depth= with ranks='given' removes all its
--         rows. Or remove the model from the run.
SELECT model
FROM (
  SELECT model
  FROM given_run
  GROUP BY model
) AS given_models
LEFT JOIN (
  SELECT
    model,
    1 AS is_held
  FROM per_query
  GROUP BY model
) AS held_models USING (model)
CROSS JOIN (SELECT count(*) AS judged FROM judgements) AS judged_items
WHERE coalesce(is_held, 0) = 0 AND model IS NOT NULL AND judged > 0
