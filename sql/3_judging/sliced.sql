-- The judged items of a query, and those of each of its item slices that may be relevant.
--
-- Grain:  one row per (query, judged item) with item_slice_no = 0, and one with the number of the item's slice if its
--         relevance is above 0.
-- Params: $item_sliced: true with item slices.
-- Else:   graded
-- Edges:  a slice of a query is then like another query with the same list. A slice without such items has no row.
SELECT
  query,
  item,
  relevance,
  is_relevant,
  gain,
  CASE WHEN is_slice = 1 THEN own_slice_no ELSE 0 END AS item_slice_no
FROM graded
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
LEFT JOIN (
  SELECT
    item,
    item_slice_no AS own_slice_no
  FROM numbered_items
) AS own_slices USING (item)
WHERE is_slice = 0 OR ($item_sliced AND own_slice_no >= 1 AND relevance > 0)
