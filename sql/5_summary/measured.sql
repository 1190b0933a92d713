-- Every metric asked for, side by side, as its file in 4_metrics defines it: one pass over judged for all of them.
--
-- Grain:  one row per (model, judged query).
-- Params: none.
-- Edges:  the projections of the metric files take the place of `raw`; a value that is 0 / 0 is NULL here.
SELECT
  model,
  query,
  max(relevant) AS relevant_items,
  CAST(NULL AS DOUBLE) AS raw
FROM judged
GROUP BY model, query
