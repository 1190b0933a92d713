-- The numbers of queries behind the means.
--
-- Grain:  one row per model.
-- Params: none.
-- Edges:  judged counts the queries of the qrels, retrieved_queries those of the run, both_sides those in both, and
--         without_relevant the judged queries without relevant items.
SELECT
  model,
  count(retrieved) AS judged,
  max(run_queries) AS retrieved_queries,
  CAST(sum(CASE WHEN retrieved > 0 THEN 1 ELSE 0 END) AS BIGINT) AS both_sides,
  CAST(sum(CASE WHEN relevant = 0 THEN 1 ELSE 0 END) AS BIGINT) AS without_relevant
FROM per_query
WHERE item_slice_no < 1
GROUP BY model
ORDER BY model ASC NULLS FIRST
