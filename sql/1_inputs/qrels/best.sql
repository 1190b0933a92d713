-- The qrels for duplicates = best: an item that a query judges twice counts once, with its highest relevance.
--
-- Grain:  one row per (query, item).
-- Params: none.
-- Edges:  a NULL relevance loses to any number.
SELECT
  query,
  item,
  max(relevance) AS relevance,
  max(slice) AS slice
FROM qrels_units
GROUP BY query, item
