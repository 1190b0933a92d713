-- The differences of all levels as a list, in the order of places: to look up queries that were drawn.
--
-- Grain:  one row per model.
-- Params: none.
-- Edges:  NULL for a query that is no pair, or that the model lacks. `value_list`, `value_steps` and `value_scale` are
--         repeated for each metric.
SELECT
  model,
  max(value_scale) AS value_scale,
  list(value_steps ORDER BY position ASC NULLS FIRST) AS value_list
FROM (
  SELECT
    model,
    position,
    level_no,
    level_place
  FROM places
  CROSS JOIN (
    SELECT model
    FROM levels
    GROUP BY model
  ) AS models_compared
) AS all_places
LEFT JOIN levels USING (model, level_no, level_place)
GROUP BY model
