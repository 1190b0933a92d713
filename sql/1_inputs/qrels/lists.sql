-- qrels, from a relation with a row per query that holds the list of its relevant items.
--
-- Grain:  one row per (query, relevant item).
-- Params: none.
-- Edges:  an empty or NULL list still judges its query: a row without an item, of relevance 0.
SELECT
  query,
  unnest(CASE WHEN len(items) > 0 THEN items ELSE [NULL] END) AS item,
  CASE WHEN len(items) > 0 THEN 1 ELSE 0 END AS relevance,
  slice
FROM qrels_source
