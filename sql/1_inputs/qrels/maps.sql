-- qrels, from a relation with a row per query that holds a map from its judged items to their relevance.
--
-- Grain:  one row per (query, judged item).
-- Params: none.
-- Edges:  an empty or NULL map still judges its query: a row without an item, of relevance 0; NaN becomes NULL.
SELECT
  query,
  item,
  CASE WHEN isnan(CAST(relevance AS DOUBLE)) THEN NULL ELSE CAST(relevance AS DOUBLE) END AS relevance,
  slice
FROM (
  SELECT
    query,
    unnest(CASE WHEN cardinality(items) > 0 THEN map_keys(items) ELSE [NULL] END) AS item,
    unnest(CASE WHEN cardinality(items) > 0 THEN map_values(items) ELSE [0] END) AS relevance,
    slice
  FROM qrels_source
) AS pairs
