-- Rows of the run that have no score.
--
-- Grain:  one row per such row of the run.
-- When:   run = scores; nulls = error
-- Rule:   {score} is NULL or NaN
-- Do:     Fill the score in, or pass nulls='drop' to leave such rows out, or nulls='last' to rank them last.
SELECT
  model,
  query,
  item
FROM run
WHERE score IS NULL
