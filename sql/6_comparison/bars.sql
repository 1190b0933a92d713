-- The changes of the queries in their order, for a chart: all of them, or evenly spaced ones if there are more than
-- $most.
--
-- Grain:  one row per (model, query that is shown), the largest loss first.
-- Params: $most, how many queries to show at most.
-- Edges:  the largest loss and the largest gain are always shown.
SELECT
  model,
  place,
  pairs,
  delta
FROM ordered
WHERE pairs <= $most OR place = 1 OR (place * ($most - 1)) % pairs < $most - 1
ORDER BY model ASC NULLS FIRST, place ASC NULLS FIRST
