-- Items with more than one row in item_slices.
--
-- Grain:  one row per such item.
-- When:   item_slices = given
-- Rule:   an item ({item}) has more than one row in item_slices
-- Do:     Keep one row for each item. To slice by overlapping groups, evaluate once for each.
SELECT
  item,
  count(*) AS copies
FROM item_slices
GROUP BY item
HAVING count(*) > 1
