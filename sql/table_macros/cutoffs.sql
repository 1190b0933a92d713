-- The judged items of every query, for each cutoff.
--
-- Grain:  one row per (model, judged query, cutoff); NULL for the whole list.
-- Params: $cutoffs, the list of cutoffs.
SELECT
  model,
  query,
  slice,
  k,
  judged,
  retrieved,
  is_counted,
  otherwise
FROM judged
CROSS JOIN (SELECT DISTINCT unnest($cutoffs) AS k) AS cutoffs
