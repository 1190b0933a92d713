-- Rows of training without a query or an item.
--
-- Grain:  one row per such row of training.
-- When:   training = given
-- Order:  2
-- Rule:   {query} or {item} is NULL in training
-- Do:     Fill in the value, or remove the row.
SELECT
  query,
  item
FROM training
WHERE NOT (query IS NOT NULL AND item IS NOT NULL)
