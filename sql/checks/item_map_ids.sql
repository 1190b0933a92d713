-- Rows of item_map without an item or a unit.
--
-- Grain:  one row per such row.
-- When:   item_map = given
-- Order:  1
-- Rule:   item or unit is NULL in item_map
-- Do:     Fill in the value, or remove the row: an item without a unit stays as it is.
SELECT
  item,
  unit
FROM item_map
WHERE item IS NULL OR unit IS NULL
