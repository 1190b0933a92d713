-- Relevant items without a slice.
--
-- Grain:  one row per such item.
-- When:   item_slices = given; nulls = error, last
-- Rule:   a relevant item ({qrels_item}) has no row in item_slices, or {by} is NULL there
-- Do:     Add the item or fill in the value, or pass nulls='drop' to count such items only in the total.
SELECT
  item,
  count(*) AS queries
FROM graded
LEFT JOIN (
  SELECT
    item,
    1 AS is_known
  FROM numbered_items
  GROUP BY item
) AS known_items USING (item)
WHERE relevance > 0 AND coalesce(is_known, 0) = 0
GROUP BY item
