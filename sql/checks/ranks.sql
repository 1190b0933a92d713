-- Lists whose ranks are not 1, 2, 3, … down to the deepest rank that a metric reads.
--
-- Grain:  one row per such (model, query).
-- When:   run = ranks; ranks = error
-- Seen:   lists
-- Params: $depth, the deepest rank that a metric reads, NULL for the whole list; $exclude, $items, $judged_only, true
--         if items are left out, so that others move up.
-- Rule:   the values of {rank} in a query are not 1, 2, 3 and so on, each once
-- Do:     If ranks begin with 0, add 1. Or renumber the items from 1, pass ranks='given' to use the ranks as they are,
--         or ranks='renumber' to close gaps.
SELECT
  model,
  query,
  count(*) AS items,
  min(rank) AS smallest,
  max(rank) AS largest
FROM run
WHERE $depth IS NULL OR $exclude OR $items OR $judged_only OR rank <= $depth
GROUP BY model, query
HAVING NOT (min(rank) = 1 AND max(rank) = count(*) AND count(DISTINCT rank) = count(*))
