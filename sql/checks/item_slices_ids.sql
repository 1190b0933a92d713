-- Rows of item_slices without an item.
--
-- Grain:  one row per such row of item_slices.
-- When:   item_slices = given; nulls = error, last
-- Order:  2
-- Rule:   {item} is NULL in item_slices
-- Do:     Fill in the value, or remove the row.
SELECT item
FROM item_slices
WHERE NOT (item IS NOT NULL)
