-- The judged queries, for the checks.
--
-- Grain:  one row per (model, judged query).
-- Params: none.
-- Edges:  not from judged, so that a call does not compute the columns of judged that its metric leaves out.
SELECT
  model,
  query,
  slice,
  relevant,
  coalesce(candidates, 0) AS retrieved,
  repeated_item,
  run_queries
FROM models
CROSS JOIN (
  SELECT
    query,
    CAST(sum(is_relevant) AS BIGINT) AS relevant
  FROM graded
  GROUP BY query
) AS counted_queries
LEFT JOIN retrieved USING (model, query)
LEFT JOIN slices USING (query)
