-- The recommended items of the judged queries that count, down to the deepest cutoff.
--
-- Grain:  one row per (model, judged query, recommended item).
-- Params: $no_relevant: 'skip' leaves out the queries without relevant items.
-- Edges:  a metric of the whole run thus reads the lists of the queries that per_query counts.
SELECT
  model,
  query,
  item,
  rank
FROM ranked
INNER JOIN (
  SELECT query
  FROM graded
  WHERE $no_relevant <> 'skip' OR is_relevant = 1
  GROUP BY query
) AS counted_queries USING (query)
WHERE is_recommended = 1
