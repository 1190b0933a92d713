-- Queries of the run that are not judged, and so count for nothing.
--
-- Grain:  one row per such (model, query).
-- When:   command = check
-- Rule:   the run holds a query that the qrels do not judge
-- Do:     Compare {query} of the run with {qrels_query} of the qrels; an evaluation ignores what is not judged.
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
