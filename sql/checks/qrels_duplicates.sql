-- Items that a query judges more than once.
--
-- Grain:  one row per such (query, item).
-- When:   duplicates = error
-- Rule:   the qrels judge an item ({qrels_item}) more than once in a query, a duplicate
-- Do:     Remove the duplicates or, where each item has a row, pass duplicates='best': its highest relevance counts.
SELECT
  query,
  item,
  count(*) AS copies,
  min(relevance) AS lowest,
  max(relevance) AS highest
FROM qrels
GROUP BY query, item
HAVING count(*) > 1
