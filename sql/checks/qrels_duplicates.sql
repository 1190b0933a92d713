-- Items that are judged more than once for a query.
--
-- Grain:  one row per such (query, item).
-- Params: $only_relevant: true if the run holds the labels of one model, and every metric is a sum over relevant items.
--         Then a copy of an irrelevant item is a copy in the run, which counts only in the top of its list.
-- When:   duplicates = error
-- Seen:   lists, one_pass
-- Rule:   the qrels judge an item ({qrels_item}) more than once for a query
-- Do:     Remove the duplicates, or pass duplicates='best' to keep the highest relevance of each item.
SELECT
  query,
  item,
  count(*) AS copies,
  min(relevance) AS lowest,
  max(relevance) AS highest
FROM qrels
WHERE NOT $only_relevant OR relevance > 0
GROUP BY query, item
HAVING count(*) > 1
