-- Items that a query's list holds more than once, all the way down.
--
-- Grain:  one row per such (model, query, item).
-- When:   command = check
-- Rule:   the run holds an item ({item}) more than once in a query's list, a duplicate
-- Do:     Remove the duplicates or, where the run has scores, pass duplicates='best': an item's highest score counts.
SELECT
  model,
  query,
  item,
  count(*) AS copies
FROM run
GROUP BY model, query, item
HAVING count(*) > 1
