-- Runs that share no item with the qrels, whatever the query.
--
-- Grain:  one row per such model.
-- When:   command = check; qrels = rows, lists, maps
-- Rule:   the run and the qrels have no item in common
-- Do:     Compare the values of {item} in the run with those of {qrels_item} in the qrels. Without a common item,
--         every metric is 0.
SELECT
  model,
  count(*) AS candidates
FROM run
LEFT JOIN (
  SELECT
    item,
    1 AS is_judged
  FROM qrels
  GROUP BY item
) AS judged_items USING (item)
GROUP BY model
HAVING coalesce(max(is_judged), 0) = 0
