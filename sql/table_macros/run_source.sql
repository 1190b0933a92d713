-- The relation that the argument `run` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: the arguments of the macro.
-- Edges:  a column that is not asked for, or not there (missing_columns), is '\recall_duckdb_none', which is NULL.
--         `COLUMNS` finds the column whose name an argument holds. A rank is a negative score, and NULL unless it is a
--         whole number.
SELECT
  model,
  query,
  item,
  CASE
    WHEN $rank IS NULL THEN TRY_CAST(score AS DOUBLE)
    WHEN TRY_CAST(rank AS DOUBLE) = floor(TRY_CAST(rank AS DOUBLE)) AND abs(TRY_CAST(rank AS DOUBLE)) < 9e15
      THEN -TRY_CAST(rank AS DOUBLE)
  END AS score,
  CASE WHEN $rank IS NULL THEN typeof(score) ELSE typeof(rank) END AS score_type,
  score AS exact_score
FROM (
  SELECT
    coalesce(
      *COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($model, '\recall_duckdb_run')) OR _c = '\recall_duckdb_none')
    ) AS model,
    coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower($query) OR _c = '\recall_duckdb_none')) AS query,
    coalesce(*COLUMNS(LAMBDA _c: lower(_c) = lower($item) OR _c = '\recall_duckdb_none')) AS item,
    coalesce(
      *COLUMNS(
        LAMBDA _c: lower(_c) = lower(CASE WHEN $rank IS NULL THEN $score ELSE '\recall_duckdb_none' END)
        OR _c = '\recall_duckdb_none'
      )
    ) AS score,
    coalesce(
      *COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($rank, '\recall_duckdb_none')) OR _c = '\recall_duckdb_none')
    ) AS rank
  FROM (
    SELECT
      *,
      CAST(1 AS UTINYINT) AS "\recall_duckdb_run",
      NULL AS "\recall_duckdb_none"
    FROM query($statement)
  ) AS given
) AS named
