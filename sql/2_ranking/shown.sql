-- The recommended items of the judged queries, down to the deepest cutoff.
--
-- Grain:  one row per (model, judged query, recommended item).
-- Params: none.
SELECT
  model,
  query,
  item,
  rank
FROM ranked
INNER JOIN (
  SELECT query
  FROM judgements
  GROUP BY query
) AS judged_queries USING (query)
WHERE is_recommended = 1
