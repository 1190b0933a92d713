-- run, where an item that a query's list holds twice counts once, with its highest score (duplicates = best).
--
-- Grain:  one row per (model, query, item).
-- Params: none.
-- Edges:  a NULL score loses to any number.
SELECT
  model AS model,
  query AS query,
  item AS item,
  max(score) AS score
FROM run_source
GROUP BY model, query, item
