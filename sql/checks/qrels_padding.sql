-- Items in lists of relevant items that only fill up short lists: -1, or the highest number of an unsigned type.
--
-- Grain:  one row per such item of a list.
-- When:   padding = error; qrels_item = may_be_padding; qrels = lists
-- Seen:   lists
-- Params: $no_qrels_item, this item by the type of the qrels; $first_item and $beyond_items, as in the check padding.
-- Edges:  it is an item like any other if another item is negative or does not begin with a digit. If qrels have a row
--         for each item, nothing fills up lists.
-- Rule:   the qrels hold an item with which vector indexes fill short lists ({qrels_item})
-- Do:     If it is filler, remove it from the lists of the qrels, and from those of the run. If it is a real item, pass
--         padding='keep'.
SELECT
  query,
  item
FROM qrels
CROSS JOIN (
  SELECT count(*) AS other_items
  FROM qrels
  CROSS JOIN (
    SELECT item AS filler
    FROM qrels
    WHERE item = $no_qrels_item
    GROUP BY item
  ) AS fillers
  WHERE (item < $first_item OR ($beyond_items IS NOT NULL AND item >= $beyond_items)) AND item <> $no_qrels_item
) AS unusual_items
WHERE item = $no_qrels_item AND other_items = 0
