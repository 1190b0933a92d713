-- The run without the items that are not to be recommended.
--
-- Grain:  one row per (model, query, item) that is left.
-- Params: $exclude, whether pairs to leave out were given; $items, whether the items to keep to were given.
-- Edges:  an item that is left out has no place: the ones behind it move up.
SELECT
  model,
  query,
  item,
  score
FROM run
LEFT JOIN excluded USING (query, item)
LEFT JOIN listed USING (item)
WHERE (NOT $exclude OR coalesce(is_excluded, 0) = 0) AND (NOT $items OR is_listed = 1)
