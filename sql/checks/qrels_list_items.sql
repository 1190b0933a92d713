-- Items of nested lists that are NULL, where rows with a NULL are to be left out: an item is no row.
--
-- Grain:  one row per such item of the qrels.
-- When:   qrels = lists, maps; nulls = drop
-- Rule:   a list in {qrels_item} holds a NULL in the qrels
-- Do:     Take the NULL out of the list: nulls='drop' leaves out rows, and cannot say what rank its neighbours have.
SELECT
  query,
  item
FROM qrels
WHERE item IS NULL AND relevance > 0
