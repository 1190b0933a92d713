-- The units of items, such as the document of each chunk.
--
-- Grain:  one row per (item, unit).
-- Params: none.
SELECT
  item,
  unit,
  1 AS has_unit
FROM item_map
