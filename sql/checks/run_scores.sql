-- Rows of the run without a score.
--
-- Grain:  one row per such row of the run.
-- When:   run = scores; nulls = error
-- Seen:   lists, one_pass
-- Rule:   {score} is NULL or NaN
-- Do:     Fill in the score, or pass nulls='drop' to leave out such rows, or nulls='last' to rank them last.
SELECT
  model,
  query,
  item
FROM run
WHERE score IS NULL
