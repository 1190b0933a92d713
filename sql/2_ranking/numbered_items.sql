-- The slices of items by number, from 1.
--
-- Grain:  one row per item of the user's relation.
-- Params: none.
-- Edges:  numbers follow the order of the slices. An item without a slice has no row.
SELECT
  item,
  slice,
  CAST(dense_rank() OVER (ORDER BY slice ASC NULLS FIRST) AS BIGINT) AS item_slice_no
FROM item_slices
WHERE slice IS NOT NULL
