-- The qrels, from a relation with one list of relevant items per query.
--
-- Grain:  one row per (query, relevant item).
-- Params: $qrels_depth: only the first items of a list are relevant, at most this many; NULL for all. $nulls: 'drop'
--         removes NULL lists.
-- Edges:  an empty list still judges its query, with a row of relevance 0 without an item. A NULL list has a row of
--         NULL relevance, which qrels_ids refuses.
SELECT
  query,
  unnest(
    CASE
      WHEN len(items) > 0 AND $qrels_depth IS NULL THEN items
      WHEN len(items) > 0 THEN list_slice(items, 1, $qrels_depth)
      ELSE [NULL]
    END
  ) AS item,
  CASE WHEN items IS NULL THEN NULL WHEN len(items) > 0 THEN 1 ELSE 0 END AS relevance,
  slice
FROM qrels_source
WHERE $nulls <> 'drop' OR items IS NOT NULL
