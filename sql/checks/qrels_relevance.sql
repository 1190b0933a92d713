-- Rows of the qrels without a relevance.
--
-- Grain:  one row per such row of the qrels.
-- When:   nulls = error
-- Seen:   lists, one_pass
-- Params: $qrels, the shape of the input: qrels_ids reports a NULL list or map, which has no item.
-- Rule:   {relevance} is NULL or NaN
-- Do:     Fill in the relevance (0 means not relevant), or pass nulls='last' to treat the item as not judged, or
--         nulls='drop' to leave out such rows.
SELECT
  query,
  item
FROM qrels
WHERE relevance IS NULL AND ($qrels = 'rows' OR item IS NOT NULL)
