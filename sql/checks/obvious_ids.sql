-- Rows of obvious without a query or an item.
--
-- Grain:  one row per such row of obvious.
-- When:   obvious = given
-- Order:  2
-- Rule:   {query} or {item} is NULL in obvious
-- Do:     Fill in the value, or remove the row.
SELECT
  query,
  item
FROM obvious
WHERE NOT (query IS NOT NULL AND item IS NOT NULL)
