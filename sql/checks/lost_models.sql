-- Models of the run of which every row is left out, so that the result would not name them.
--
-- Grain:  one row per such model.
-- When:   models = column; left_out = rows
-- Rule:   every row of a model is left out, or all its lists are empty
-- Do:     Fill in the values that are NULL, or take the model out of the run.
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
WHERE coalesce(is_held, 0) = 0 AND model IS NOT NULL
