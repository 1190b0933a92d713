-- The user's relation with several score columns, with one row for each score.
--
-- Grain:  one row per (row of the user's relation, model).
-- Params: $models, the names of the models; $scores, their score columns, as doubles, in the same order.
-- Reads:  source; for each identifying column `name`, each other numeric column `number`, each other column `extra`.
-- Plan:   for more than 20 score columns: one scan instead of one for each score column. DuckDB looks up all columns
--         of a relation for each scan.
SELECT
  unnest($models) AS model,
  name,
  unnest($scores) AS score,
  number,
  extra
FROM source
