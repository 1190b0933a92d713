-- Rows of the run without a model, a query or an item.
--
-- Grain:  one row per such row of the run.
-- When:   nulls = error, last
-- Seen:   lists, one_pass
-- Order:  2
-- Rule:   {query}, {item} or the model is NULL in the run
-- Do:     Fill in the value, or pass nulls='drop' to leave out such rows. If a NULL is inside a list, remove it
--         there. If nothing was retrieved for a query, give it an empty list or map.
SELECT
  model,
  query,
  item
FROM run
WHERE NOT (model IS NOT NULL AND query IS NOT NULL AND item IS NOT NULL)
