-- The top of every query's list as a list of its items, best first.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $item_low, the smallest of the run's items; $any_open: true if a list is open.
-- Plan:   replaces ranked if items are whole numbers.
-- Edges:  items are codes, item - $item_low. An open list is ranked by definition.
SELECT
  model,
  query,
  items
FROM (
  SELECT
    model,
    query,
    items
  FROM tops
  WHERE is_open = 0
  UNION ALL
  SELECT
    model,
    query,
    list(CAST(CAST(item AS BIGINT) - $item_low AS INTEGER) ORDER BY rank ASC) AS items
  FROM ranked
  WHERE $any_open
  GROUP BY model, query
) AS lists
