-- Rows of the run without a rank.
--
-- Grain:  one row per such row of the run.
-- When:   run = ranks; nulls = error, last
-- Order:  2
-- Rule:   {rank} is NULL
-- Do:     Fill in the rank, or pass nulls='drop' to leave out such rows.
SELECT
  model,
  query,
  item,
  rank
FROM run
WHERE rank IS NULL
