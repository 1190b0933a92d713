-- The candidates of the lists whose order their numbers do not tell.
--
-- Grain:  one row per (model, query, item) of a list that is open.
-- Params: none.
-- Plan:   instead of candidates, for the lists that tops leaves open: mostly few or none, and then hardly anything is
--         read.
SELECT
  model,
  query,
  item,
  score
FROM candidates
INNER JOIN tops USING (model, query)
WHERE is_open = 1
