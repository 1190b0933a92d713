-- Rows of the run without a rank.
--
-- Grain:  one row per such row of the run.
-- When:   run = ranks; nulls = error, last
-- Seen:   lists
-- Order:  2
-- Edges:  a rank that is not a whole number is read as NULL.
-- Rule:   {rank} is NULL, or not a whole number
-- Do:     Fill in the rank, or pass nulls='drop' to leave out such rows. If the numbers only give the order of the
--         items, pass ranks='renumber'.
SELECT
  model,
  query,
  item
FROM run
WHERE rank IS NULL
