-- Ids of run and qrels whose types do not compare.
--
-- Grain:  a single row.
-- Params: none.
-- Rule:   ids of the run and of the qrels differ in type
-- Edges:  whole numbers of any size compare; an empty relation has no type.
SELECT
  CASE
    WHEN NOT (run_query_type = qrels_query_type OR (run_query_type LIKE '%INT' AND qrels_query_type LIKE '%INT'))
      THEN concat('the queries of run and qrels differ in type: ', run_query_type, ' and ', qrels_query_type)
    WHEN NOT (run_item_type = qrels_item_type OR (run_item_type LIKE '%INT' AND qrels_item_type LIKE '%INT'))
      THEN concat('the items of run and qrels differ in type: ', run_item_type, ' and ', qrels_item_type)
  END AS mistake
FROM (
  SELECT
    typeof(query) AS run_query_type,
    typeof(item) AS run_item_type
  FROM run_source
  LIMIT 1
) AS of_run
CROSS JOIN (
  SELECT
    typeof(query) AS qrels_query_type,
    typeof(item) AS qrels_item_type
  FROM qrels_source
  LIMIT 1
) AS of_qrels
