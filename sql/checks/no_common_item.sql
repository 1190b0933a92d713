-- Runs none of whose items is judged for its query.
--
-- Grain:  one row per such model, with its first item and the first judged one.
-- When:   command = check; qrels = rows, lists, maps
-- Rule:   no item of the run is judged for its query
-- Do:     Compare the values of {item} in the run with those of {qrels_item} in the qrels, and the values of the query.
--         Without a judged item, every metric is 0.
SELECT
  model,
  count(*) AS candidates,
  min(item) AS item,
  max(first_judged) AS judged_item
FROM run
LEFT JOIN (
  SELECT
    query,
    item,
    1 AS is_judged
  FROM qrels
  GROUP BY query, item
) AS judged_items USING (query, item)
CROSS JOIN (SELECT min(item) AS first_judged FROM qrels) AS all_judged
GROUP BY model
HAVING coalesce(max(is_judged), 0) = 0
