-- The relation that the argument `qrels` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: $qrels_statement, which reads the qrels; the arguments of the macro.
-- Edges:  as in run_source. With relevance := NULL, each row is relevant. A slice by the query reads the query of the
--         qrels, which may have another name.
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
  FROM query($qrels_statement)
) AS given
