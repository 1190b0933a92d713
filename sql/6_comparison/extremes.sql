-- The queries with the largest losses and those with the largest gains.
--
-- Grain:  one row per (model, query), the largest loss first.
-- Params: $most, how many queries at either end.
-- Edges:  there is one metric.
SELECT
  model,
  query,
  slice,
  baseline,
  value,
  delta,
  is_tie,
  place,
  pairs
FROM ordered
WHERE place <= $most OR place > pairs - $most
ORDER BY model ASC NULLS FIRST, place ASC NULLS FIRST
