-- Rows of the qrels without a query or an item.
--
-- Grain:  one row per such row of the qrels.
-- When:   nulls = error, last
-- Seen:   lists, one_pass
-- Params: $qrels, the shape of the input: a query with an empty list or map gives a row without an item,
--         whose relevance is 0. It is NULL for a NULL list or map.
-- Order:  2
-- Rule:   {qrels_query} or {qrels_item} is NULL in the qrels
-- Do:     Fill in the value, or pass nulls='drop' to leave out such rows. If a NULL is inside a list, remove it
--         there. If a query has nothing relevant, give it an empty list or map.
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE NOT (query IS NOT NULL AND (item IS NOT NULL OR ($qrels <> 'rows' AND coalesce(relevance, 1) = 0)))
