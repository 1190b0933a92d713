-- Queries of the run that are not judged, and are therefore ignored.
--
-- Grain:  one row per such (model, query).
-- When:   command = check; dbt = no
-- Rule:   the run holds a query that the qrels do not judge
-- Do:     Compare {query} in the run with {qrels_query} in the qrels: an evaluation ignores queries that are not
--         judged.
SELECT
  model,
  query,
  candidates
FROM retrieved
LEFT JOIN (
  SELECT
    query,
    1 AS is_judged
  FROM judgements
  GROUP BY query
) AS judged_queries USING (query)
WHERE coalesce(is_judged, 0) = 0
