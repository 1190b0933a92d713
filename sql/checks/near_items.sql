-- Judged items that a list holds only in another spelling.
--
-- Grain:  one row per such (model, query, judged item), with the item of the list.
-- When:   command = check; texts = may_be_lists; qrels = rows, lists, maps; engine = duckdb; dbt = no
-- Params: $looked_at, the number of queries to look at, the first ones of the qrels; NULL for all.
-- Edges:  an id that both sides hold in one spelling is not near another.
-- Rule:   an item ({item}) differs from a judged one only in case, blanks, leading zeros, a final .0 or its Unicode
--         form
-- Do:     Write ids in the same way in run and qrels. If the ids are different items, nothing is wrong.
SELECT
  model,
  query,
  min(item) AS item,
  min(judged_item) AS judged_item,
  difference_of(min(item), min(judged_item)) AS difference
FROM (
  SELECT
    model,
    query,
    item,
    plain_id(item) AS plain
  FROM run
  INNER JOIN (
    SELECT query
    FROM qrels
    GROUP BY query
    ORDER BY query ASC NULLS FIRST
    LIMIT $looked_at
  ) AS queries_of_run USING (query)
) AS retrieved_ids
INNER JOIN (
  SELECT
    query,
    item AS judged_item,
    plain_id(item) AS plain
  FROM qrels
  WHERE item IS NOT NULL
) AS judged_ids USING (query, plain)
GROUP BY model, query, plain
HAVING max(CASE WHEN item = judged_item THEN 1 ELSE 0 END) = 0
