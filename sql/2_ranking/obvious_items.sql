-- The pairs of query and item that are obvious.
--
-- Grain:  one row per (query, item) of the user's relation.
-- Params: none.
SELECT
  query,
  item,
  1 AS is_obvious
FROM obvious
GROUP BY query, item
