-- Queries with more than one list.
--
-- Grain:  one row per such (model, query).
-- When:   run = lists
-- Rule:   the run has more than one row, and so more than one list in {item}, for a query
-- Do:     Keep one list for each query, or add the column that tells the lists apart to query= or model=.
SELECT
  model,
  query,
  count(*) AS items,
  max(rank) AS longest
FROM run
GROUP BY model, query
HAVING count(*) > max(rank)
