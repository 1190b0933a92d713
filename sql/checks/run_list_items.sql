-- Items of nested lists that are NULL, where rows with a NULL are to be left out: an item is no row.
--
-- Grain:  one row per such item of the run.
-- When:   run = lists; nulls = drop
-- Rule:   a list in {item} holds a NULL in the run
-- Do:     Take the NULL out of the list: nulls='drop' leaves out rows, and cannot say what rank its neighbours have.
SELECT
  model,
  query,
  item
FROM run
WHERE item IS NULL
