-- Rows of the qrels that do not say which query or item they are about.
--
-- Grain:  one row per such row of the qrels.
-- When:   nulls = error, last
-- Params: $qrels, the shape they came in: a query's list or map that is empty gives a row without an item.
-- Order:  2
-- Rule:   {qrels_query} or {qrels_item} is NULL in the qrels
-- Do:     Fill the value in, or pass nulls='drop' to leave such rows out; a NULL in a list has to be taken out of it.
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE NOT (query IS NOT NULL AND (item IS NOT NULL OR ($qrels <> 'rows' AND relevance = 0)))
