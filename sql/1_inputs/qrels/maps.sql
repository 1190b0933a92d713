-- The qrels, from a relation with one map from judged items to relevance per query.
--
-- Grain:  one row per (query, judged item).
-- Params: $nulls: 'drop' removes NULL maps.
-- Edges:  an empty map still judges its query, with a row of relevance 0 without an item. A NULL map has a row of NULL
--         relevance, which qrels_ids refuses. NaN becomes NULL.
SELECT
  query,
  item,
  number_of(relevance, $nulls) AS relevance,
  slice
FROM (
  SELECT
    query,
    unnest(CASE WHEN cardinality(items) > 0 THEN map_keys(items) ELSE [NULL] END) AS item,
    unnest(
      CASE WHEN items IS NULL THEN [NULL] WHEN cardinality(items) > 0 THEN map_values(items) ELSE [0] END
    ) AS relevance,
    slice
  FROM qrels_source
  WHERE $nulls <> 'drop' OR items IS NOT NULL
) AS pairs
