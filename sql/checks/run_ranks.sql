-- Rows of the run that have no rank.
--
-- Grain:  one row per such row of the run.
-- When:   run = ranks; nulls = error, last
-- Order:  2
-- Rule:   {rank} is NULL
-- Do:     Fill the rank in, or pass nulls='drop' to leave out rows that have no place in their list.
SELECT
  model,
  query,
  item,
  rank
FROM run
WHERE rank IS NULL
