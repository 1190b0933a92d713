-- How far the lists of one model and of the baseline agree, for each query, with the largest change first.
--
-- Grain:  one row per (model, query) for which both have a list.
-- Params: $model, the model whose queries are listed.
-- Edges:  changed is 0 if both lists hold the same items in the same order.
SELECT
  model,
  query,
  list_jaccard AS jaccard,
  list_rbo AS rbo,
  is_changed AS changed
FROM agreed
WHERE model = $model AND list_jaccard IS NOT NULL
ORDER BY rbo ASC NULLS FIRST, query ASC NULLS FIRST
