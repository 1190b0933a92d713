-- NULL items in nested lists under nulls=drop, which leaves out rows but not items of a list.
--
-- Grain:  one row per such item of the qrels.
-- When:   qrels = lists, maps; nulls = drop
-- Rule:   a list in {qrels_item} holds a NULL in the qrels
-- Do:     Remove the NULL from the list. nulls='drop' leaves out whole rows, not items of a list.
SELECT
  query,
  item
FROM qrels
WHERE item IS NULL AND relevance > 0
