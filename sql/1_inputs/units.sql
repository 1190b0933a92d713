-- The units of items, such as the document of each chunk.
--
-- Grain:  one row per (item, unit).
-- Params: none.
SELECT
  item,
  unit
FROM item_map
