-- The items that a model and the baseline both have in the top k of a query.
--
-- Grain:  one row per (model, query, item), without the baseline.
-- Params: $baseline, the model that the others are compared with.
-- Edges:  depth is the rank from which on both lists hold the item: the lower one of its two ranks.
SELECT
  model,
  query,
  item,
  CASE WHEN rank = base_rank THEN 1 ELSE 0 END AS is_unmoved,
  CASE WHEN rank < base_rank THEN base_rank ELSE rank END AS depth
FROM ranked
INNER JOIN (
  SELECT
    query,
    item,
    rank AS base_rank
  FROM ranked
  WHERE model = $baseline AND is_recommended = 1
) AS base_items USING (query, item)
WHERE model <> $baseline AND is_recommended = 1
