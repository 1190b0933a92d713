-- What was averaged over.
--
-- Grain:  one row per model.
-- Params: none.
-- Edges:  judged counts the queries of qrels, retrieved_queries those of the run, both those in the two (both_sides),
--         without_relevant the judged ones with nothing relevant.
SELECT
  model,
  count(*) AS judged,
  max(run_queries) AS retrieved_queries,
  CAST(sum(CASE WHEN retrieved > 0 THEN 1 ELSE 0 END) AS BIGINT) AS both_sides,
  CAST(sum(CASE WHEN relevant = 0 THEN 1 ELSE 0 END) AS BIGINT) AS without_relevant
FROM per_query
GROUP BY model
ORDER BY model ASC NULLS FIRST
