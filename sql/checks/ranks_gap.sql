-- Lists that skip a rank that a metric reads, but continue below.
--
-- Grain:  one row per such (model, query).
-- When:   run = ranks; ranks = error; command = evaluate, pool
-- Seen:   lists
-- Params: $depth, the deepest rank that a metric reads, NULL for the whole list, which the check ranks covers.
-- Rule:   the values of {rank} in a query leave out one of 1, 2, 3 and so on
-- Do:     Renumber the items from 1. Or pass ranks='given' to use the ranks as they are, or ranks='renumber' to close
--         gaps.
SELECT
  model,
  query,
  coalesce($depth, 0) AS depth,
  count(CASE WHEN rank <= coalesce($depth, 0) THEN 1 END) AS items,
  max(rank) AS largest
FROM run
GROUP BY model, query
HAVING max(rank) > coalesce($depth, 0) AND count(CASE WHEN rank <= coalesce($depth, 0) THEN 1 END) < coalesce($depth, 0)
