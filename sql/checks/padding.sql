-- Items that only fill up short lists: -1, also as text, or the highest number of an unsigned type.
--
-- Grain:  one row per such candidate.
-- When:   padding = error; item = may_be_padding
-- Seen:   lists, one_pass
-- Params: $no_item, this item; $first_item and $beyond_items: other items are at or above 0, or in text begin with a
--         digit, from '0' to below ':'. NULL for no upper limit.
-- Edges:  it is an item like any other if another item is negative or does not begin with a digit, or if it is relevant
--         for a query. Without such an item, the others are not compared, which takes longer than all else.
-- Rule:   the run holds an item with which vector indexes fill short lists ({item}), and which is relevant for no query
-- Do:     If it is filler, remove it from the run. If it is a real item, pass padding='keep'.
SELECT
  model,
  query,
  item
FROM candidates
CROSS JOIN (
  SELECT count(*) AS other_items
  FROM candidates
  CROSS JOIN (
    SELECT item AS filler
    FROM candidates
    WHERE item = $no_item
    GROUP BY item
  ) AS fillers
  WHERE (item < $first_item OR ($beyond_items IS NOT NULL AND item >= $beyond_items)) AND item <> $no_item
) AS unusual_items
CROSS JOIN (
  SELECT count(*) AS relevant_rows
  FROM qrels
  WHERE item = $no_item AND relevance > 0
) AS judged_padding
WHERE item = $no_item AND other_items = 0 AND relevant_rows = 0
