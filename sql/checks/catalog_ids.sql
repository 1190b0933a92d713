-- Rows of catalog without an item.
--
-- Grain:  one row per such row of catalog.
-- When:   catalog = given
-- Order:  2
-- Rule:   {item} is NULL in catalog
-- Do:     Fill in the value, or remove the row.
SELECT item
FROM catalog
WHERE NOT (item IS NOT NULL)
