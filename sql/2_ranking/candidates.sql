-- The run without excluded items, and without unjudged items if unjudged = drop.
--
-- Grain:  one row per (model, query, item) that is left.
-- Params: $exclude: true if `exclude` was given; $items: true if `items` was given; $judged_only: true if
--         unjudged = drop.
-- Else:   run
-- Edges:  a removed item takes no rank: the items behind it move up, except with ranks = given.
SELECT
  model,
  query,
  item,
  score
FROM run
LEFT JOIN excluded USING (query, item)
LEFT JOIN listed USING (item)
LEFT JOIN judged_items USING (query, item)
WHERE
  (NOT $exclude OR coalesce(is_excluded, 0) = 0)
  AND (NOT $items OR is_listed = 1)
  AND (NOT $judged_only OR is_judged = 1)
