-- The length of every list, down to the cutoff.
--
-- Grain:  one row per (model, query) of the run.
-- Params: none.
SELECT
  model,
  query,
  count(*) AS list_length
FROM ranked
WHERE is_recommended = 1
GROUP BY model, query
