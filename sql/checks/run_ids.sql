-- Rows of the run that do not say which query or item they are about.
--
-- Grain:  one row per such row of the run.
-- When:   nulls = error, last
-- Order:  2
-- Rule:   {query}, {item} or the model is NULL in the run
-- Do:     Fill the value in, or pass nulls='drop' to leave such rows out; a NULL in a list has to be taken out of it.
SELECT
  model,
  query,
  item
FROM run
WHERE NOT (model IS NOT NULL AND query IS NOT NULL AND item IS NOT NULL)
