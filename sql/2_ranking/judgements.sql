-- The qrels, restricted to the listed items.
--
-- Grain:  one row per (query, judged item) that is left.
-- Params: $items: true if `items` was given.
-- Else:   qrels
-- Edges:  a query without any listed item in the qrels is not judged. A query with an empty list of relevant items
--         stays judged.
SELECT
  query,
  item,
  relevance
FROM qrels
LEFT JOIN listed USING (item)
WHERE NOT $items OR is_listed = 1 OR item IS NULL
