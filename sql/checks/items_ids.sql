-- Rows of items without an item.
--
-- Grain:  one row per such row of items.
-- When:   items = given
-- Order:  2
-- Rule:   {item} is NULL in items
-- Do:     Fill in the value, or remove the row.
SELECT item
FROM items
WHERE NOT (item IS NOT NULL)
