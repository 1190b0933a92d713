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
    coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($qrels_query, $query)) OR _c = '\recall_duckdb_none'))
      AS query,
    coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($qrels_item, $item)) OR _c = '\recall_duckdb_none'))
      AS item,
    coalesce(
      *COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($relevance, '\recall_duckdb_one')) OR _c = '\recall_duckdb_none')
    ) AS relevance,
    coalesce(
      *COLUMNS(
        LAMBDA _c: lower(_c) = lower(coalesce(CASE WHEN lower($by) = lower($query) THEN $qrels_query END, $by))
        OR _c = '\recall_duckdb_none'
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
