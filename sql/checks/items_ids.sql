-- Rows of items that do not say what they are about.
--
-- Grain:  one row per such row of items.
-- When:   items = given
-- Order:  2
-- Rule:   {item} is NULL in items
-- Do:     Fill the value in, or leave the row out.
SELECT item
FROM items
WHERE NOT (item IS NOT NULL)
