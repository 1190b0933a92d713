-- Lists that do not begin with rank 1.
--
-- Grain:  one row per such (model, query).
-- When:   run = ranks; command = evaluate
-- Rule:   the values of {rank} in a query do not begin with 1
-- Do:     Number the items again from 1, or pass a score column instead of a rank.
SELECT
  model AS model,
  query AS query,
  min(rank) AS smallest
FROM run
GROUP BY model, query
HAVING min(rank) > 1
