-- The qrels, from a relation with one list of relevant items per query.
--
-- Grain:  one row per (query, relevant item).
-- Params: none.
-- Edges:  an empty or NULL list still judges its query, with a row of relevance 0 without an item.
SELECT
  query,
  unnest(CASE WHEN len(items) > 0 THEN items ELSE [NULL] END) AS item,
  CASE WHEN len(items) > 0 THEN 1 ELSE 0 END AS relevance,
  slice
FROM qrels_source
