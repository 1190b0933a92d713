-- Lists with a rank below 1, or with two items at the same rank, if ranks are used as they are.
--
-- Grain:  one row per such (model, query).
-- When:   run = ranks; ranks = given
-- Rule:   the values of {rank} in a query are not different numbers from 1 on
-- Do:     If ranks begin with 0, add 1. If several items have the same rank, pass ranks='renumber', and the policy ties
--         orders them.
SELECT
  model,
  query,
  count(*) AS items,
  min(rank) AS smallest,
  count(*) - count(DISTINCT rank) AS repeated
FROM run
GROUP BY model, query
HAVING NOT (min(rank) >= 1 AND count(DISTINCT rank) = count(*))
