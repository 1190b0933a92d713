-- The values of all metrics in one pass over judged/one_pass, computed separately for judged and unjudged items.
--
-- Grain:  one row per (model, query, is_judged).
-- Params: none.
-- Plan:   for per_query/one_pass.
-- Edges:  the values of is_judged = 0 mean nothing; the row has the counts of a query that is not judged.
SELECT
  model,
  query,
  is_judged,
  max(candidates) AS candidates,
  min(is_sound) AS is_sound,
  max(relevant) AS relevant_items,
  CAST(NULL AS DOUBLE) AS raw
FROM judged
GROUP BY model, query, is_judged
