-- The qrels, restricted to the listed items.
--
-- Grain:  one row per (query, judged item) that is left.
-- Params: none.
-- Edges:  a query without any listed item in the qrels is not judged. A query with an empty list of relevant items
--         stays judged.
SELECT
  query,
  item,
  relevance
FROM qrels
LEFT JOIN listed USING (item)
WHERE is_listed = 1 OR item IS NULL
