-- The top of every query's list as a list of its items, best first.
--
-- Grain:  one row per (model, query) of the run.
-- Params: none.
-- Plan:   instead of ranked/given, for items that are whole numbers.
-- Edges:  items are codes, item - $item_low of tops.
SELECT
  model AS model,
  query AS query,
  items AS items
FROM tops
