-- Queries of the run that the qrels hold only in another spelling.
--
-- Grain:  one row per such (model, query), with the judged query.
-- When:   command = check; explains = nothing, no_common_query; query = text; engine = duckdb; dbt = no;
--         qrels = rows, lists, maps
-- Edges:  a query that both sides hold in one spelling is not near another.
-- Rule:   a query of the run differs from a judged one only in case, blanks, leading zeros, a final .0 or its Unicode
--         form
-- Do:     Write the values of the query in the same way in run and qrels, unless they are different queries.
SELECT
  model,
  min(query) AS query,
  min(judged_query) AS judged_query,
  CASE WHEN min(query) <> min(judged_query) THEN difference_of(min(query), min(judged_query)) END AS difference_of_query
FROM (
  SELECT
    model,
    query,
    is_judged,
    plain_id(query) AS plain_query
  FROM (
    SELECT
      model,
      query
    FROM run
    GROUP BY model, query
  ) AS queries_of_run
  LEFT JOIN (
    SELECT
      query,
      1 AS is_judged
    FROM qrels
    GROUP BY query
  ) AS judged_queries USING (query)
) AS retrieved_queries
INNER JOIN (
  SELECT
    query AS judged_query,
    plain_id(query) AS plain_query
  FROM qrels
  WHERE query IS NOT NULL
  GROUP BY query
) AS judged_ids USING (plain_query)
GROUP BY model, plain_query
HAVING max(coalesce(is_judged, 0)) = 0
