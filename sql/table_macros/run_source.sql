-- The relation that the argument `run` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: the arguments of the macro.
-- Edges:  a column that is not asked for, or not there (missing_columns), is '\recall_duckdb_none', which is NULL.
--         `COLUMNS` finds the column whose name an argument holds. score is the rank if an argument names one.
SELECT
  coalesce(
    *COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($model, '\recall_duckdb_run')) OR _c = '\recall_duckdb_none')
  ) AS model,
  coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower($query) OR _c = '\recall_duckdb_none')) AS query,
  coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower($item) OR _c = '\recall_duckdb_none')) AS item,
  coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($rank, $score)) OR _c = '\recall_duckdb_none')) AS score
FROM (
  SELECT
    *,
    CAST(1 AS UTINYINT) AS "\recall_duckdb_run",
    NULL AS "\recall_duckdb_none"
  FROM query($statement)
) AS given
