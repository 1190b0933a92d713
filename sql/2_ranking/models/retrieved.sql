-- The models that the run holds.
--
-- Grain:  one row per model; a single row for a run without a model column.
-- Params: none.
SELECT
  model,
  count(*) AS run_queries
FROM retrieved
GROUP BY model
