-- The relation that the argument `run` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: the arguments of the macro.
-- Edges:  a column that is not asked for is '\recall_duckdb_none'. DuckDB raises an error for one that is not there.
--         `COLUMNS` renames the column whose name an argument holds. A rank is a negative score, and NULL unless it is
--         a whole number or ranks = renumber.
SELECT
  model,
  query,
  item,
  CASE
    WHEN $rank IS NULL AND $order = 'ascending' THEN 0 - TRY_CAST(score AS DOUBLE)
    WHEN $rank IS NULL THEN TRY_CAST(score AS DOUBLE)
    WHEN $ranks = 'renumber' THEN -TRY_CAST(rank AS DOUBLE)
    WHEN TRY_CAST(rank AS DOUBLE) = floor(TRY_CAST(rank AS DOUBLE)) AND abs(TRY_CAST(rank AS DOUBLE)) < 9e15
      THEN -TRY_CAST(rank AS DOUBLE)
  END AS score,
  CASE WHEN $rank IS NULL THEN typeof(score) ELSE typeof(rank) END AS score_type,
  score AS exact_score
FROM (
  SELECT
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($model, '\recall_duckdb_run'))) AS model,
    COLUMNS(LAMBDA _c: lower(_c) = lower($query)) AS query,
    COLUMNS(LAMBDA _c: lower(_c) = lower($item)) AS item,
    COLUMNS(LAMBDA _c: lower(_c) = lower(CASE WHEN $rank IS NULL THEN $score ELSE '\recall_duckdb_none' END)) AS score,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($rank, '\recall_duckdb_none'))) AS rank
  FROM (
    SELECT
      *,
      CAST(1 AS UTINYINT) AS "\recall_duckdb_run",
      NULL AS "\recall_duckdb_none"
    FROM query($statement)
  ) AS given
) AS named
