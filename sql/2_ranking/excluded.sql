-- The pairs of query and item that are not to be recommended, such as those seen in training.
--
-- Grain:  one row per (query, item) of the user's relation.
-- Params: none.
SELECT
  query,
  item,
  1 AS is_excluded
FROM "exclude"
GROUP BY query, item
