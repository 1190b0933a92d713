-- The relation that the argument `qrels` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: the arguments of the macro.
-- Edges:  as in run_source. With relevance := NULL, each row is relevant.
SELECT
  query,
  item,
  CAST(relevance AS DOUBLE) AS relevance,
  slice
FROM (
  SELECT
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($qrels_query, $query))) AS query,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($qrels_item, $item))) AS item,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($relevance, '\one'))) AS relevance,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($by, '\none'))) AS slice
  FROM (
    SELECT
      *,
      1 AS "\one",
      NULL AS "\none"
    FROM query_table($qrels)
  ) AS given
) AS named
