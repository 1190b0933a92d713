-- Items that are judged more than once for a query.
--
-- Grain:  one row per such (query, item).
-- When:   duplicates = error
-- Rule:   the qrels judge an item ({qrels_item}) more than once for a query
-- Do:     Remove the duplicates. If each item has its own row, you can pass duplicates='best' instead, to keep its
--         highest relevance.
SELECT
  query,
  item,
  count(*) AS copies,
  min(relevance) AS lowest,
  max(relevance) AS highest
FROM qrels
GROUP BY query, item
HAVING count(*) > 1
