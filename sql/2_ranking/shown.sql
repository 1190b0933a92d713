-- What the lists of the judged queries recommend, as far down as any metric looks.
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
