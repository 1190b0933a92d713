-- The changes of the queries in their order, for a chart: all if there are few, or else evenly spaced ones.
--
-- Grain:  one row per (model, query that is shown), the largest loss first.
-- Params: $most, how many queries to show.
-- Edges:  the largest loss and the largest gain are always shown.
SELECT
  model,
  place,
  pairs,
  delta
FROM ordered
WHERE pairs <= $most OR place = 1 OR (place * $most) % pairs < $most
ORDER BY model ASC NULLS FIRST, place ASC NULLS FIRST
