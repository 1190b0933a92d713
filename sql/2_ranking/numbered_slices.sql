-- The slices of items, each with its number.
--
-- Grain:  one row per slice that holds an item.
-- Params: none.
SELECT
  item_slice_no,
  slice AS item_slice
FROM numbered_items
GROUP BY item_slice_no, slice
