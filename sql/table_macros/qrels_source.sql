-- The relation that the argument `qrels` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: the arguments of the macro.
-- Edges:  as in run_source. With relevance := NULL, each row is relevant. A slice by the query reads the query of the
--         qrels, which may have another name.
SELECT
  query,
  item,
  TRY_CAST(relevance AS DOUBLE) AS relevance,
  slice,
  typeof(relevance) AS relevance_type
FROM (
  SELECT
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($qrels_query, $query))) AS query,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($qrels_item, $item))) AS item,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($relevance, '\recall_duckdb_one'))) AS relevance,
    COLUMNS(
      LAMBDA _c: lower(_c) = lower(
        coalesce(CASE WHEN lower($by) = lower($query) THEN $qrels_query END, $by, '\recall_duckdb_none')
      )
    ) AS slice
  FROM (
    SELECT
      *,
      1 AS "\recall_duckdb_one",
      NULL AS "\recall_duckdb_none"
    FROM query($statement)
  ) AS given
) AS named
