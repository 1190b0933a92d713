-- The values of every query for each cutoff.
--
-- Grain:  one row per (model, judged query, cutoff).
-- Params: $raw, the call of the function of lists that computes the metric.
-- Edges:  `value` is repeated for each metric.
SELECT
  model,
  query,
  slice,
  k,
  CASE WHEN is_counted THEN coalesce($raw, otherwise) END AS value
FROM cutoffs
