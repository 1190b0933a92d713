-- Rows of the run that are judged if their query is taken for the item, and the item for the query.
--
-- Grain:  one row per such (model, query, item).
-- When:   explains = no_common_item, no_common_query; keys = one
-- Rule:   the columns of query and item are swapped in run or qrels: the query of a row ({query}) is a judged item, and
--         its item ({item}) the query
-- Do:     Swap query= and item=, or qrels_query= and qrels_item=.
SELECT
  model,
  query,
  item
FROM (
  SELECT
    model,
    query,
    item,
    CAST(query AS VARCHAR) AS judged_item,
    CAST(item AS VARCHAR) AS judged_query
  FROM run
) AS swapped_rows
INNER JOIN (
  SELECT
    CAST(item AS VARCHAR) AS judged_item,
    CAST(query AS VARCHAR) AS judged_query
  FROM qrels
) AS judged_rows USING (judged_query, judged_item)
GROUP BY model, query, item
