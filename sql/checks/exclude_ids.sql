-- Rows of exclude without a query or an item.
--
-- Grain:  one row per such row of exclude.
-- When:   exclude = given
-- Order:  2
-- Rule:   {query} or {item} is NULL in exclude
-- Do:     Fill in the value, or remove the row.
SELECT
  query,
  item
FROM "exclude"
WHERE NOT (query IS NOT NULL AND item IS NOT NULL)
