-- Lists that lack a rank which metrics look at, but go on below those.
--
-- Grain:  one row per such (model, query).
-- When:   run = ranks; command = evaluate
-- Params: $depth, how far down any metric looks, NULL for the whole list, which the check ranks looks at.
-- Rule:   the values of {rank} in a query leave out one of 1, 2, 3 and so on
-- Do:     Number the items again from 1, or pass a score column instead of a rank.
SELECT
  model,
  query,
  coalesce($depth, 0) AS depth,
  count(CASE WHEN rank <= coalesce($depth, 0) THEN 1 END) AS items,
  max(rank) AS largest
FROM run
GROUP BY model, query
HAVING max(rank) > coalesce($depth, 0) AND count(CASE WHEN rank <= coalesce($depth, 0) THEN 1 END) < coalesce($depth, 0)
