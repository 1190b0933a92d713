-- The pairs of query and item to exclude, such as those seen in training.
--
-- Grain:  one row per (query, item) of the user's relation.
-- Params: none.
SELECT
  query,
  item,
  1 AS is_excluded
FROM "exclude"
GROUP BY query, item
