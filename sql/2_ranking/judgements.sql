-- The qrels, of the items that run and qrels are restricted to.
--
-- Grain:  one row per (query, judged item) that is left.
-- Params: none.
-- Edges:  a query of which no judged item is left is no judged query; one that was judged to have none stays one.
SELECT
  query,
  item,
  relevance
FROM qrels
LEFT JOIN listed USING (item)
WHERE is_listed = 1 OR item IS NULL
