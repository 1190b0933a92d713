-- The candidates that are relevant or have a gain, with their numbers.
--
-- Grain:  one row per such (model, query, item) of the run.
-- Params: none.
-- Plan:   for placed/hashed. Computed once, so that only these are looked up in their lists.
SELECT
  model,
  query,
  is_relevant,
  gain,
  number
FROM numbers
INNER JOIN graded USING (query, item)
WHERE is_relevant = 1 OR gain > 0
