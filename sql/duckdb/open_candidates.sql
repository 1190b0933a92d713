-- The candidates of open lists, whose order is not certain from their numbers.
--
-- Grain:  one row per (model, query, item) of a list that is open.
-- Params: none.
-- Plan:   replaces candidates for the lists that tops leaves open. These are few or none, so little is read.
SELECT
  model,
  query,
  item,
  score
FROM candidates
INNER JOIN tops USING (model, query)
WHERE is_open = 1
