-- Queries with more than one list.
--
-- Grain:  one row per such (model, query).
-- When:   run = lists
-- Seen:   lists
-- Rule:   the run has more than one row, and therefore more than one list in {item}, for a query
-- Do:     Keep one list per query, or add the column that distinguishes the lists to query= or model=.
SELECT
  model,
  query,
  count(*) AS items,
  max(rank) AS longest
FROM run
GROUP BY model, query
HAVING count(*) > max(rank)
