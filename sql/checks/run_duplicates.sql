-- Items that occur more than once in a query's list, at any rank.
--
-- Grain:  one row per such (model, query, item).
-- When:   command = check; duplicates = error
-- Rule:   the run holds an item ({item}) more than once in a query's list
-- Do:     Remove the duplicates. If the lists are of several models, pass their column as model=. If an item may
--         repeat, you can pass duplicates='best' instead, to keep its best place. If ranks only give the order, you
--         can pass duplicates='best' with ranks='renumber' instead.
SELECT
  model,
  query,
  item,
  count(*) AS copies
FROM run
GROUP BY model, query, item
HAVING count(*) > 1
