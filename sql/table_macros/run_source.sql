-- The relation that the argument `run` names, with its columns under canonical names.
--
-- Grain:  one row per row of the relation.
-- Params: the arguments of the macro.
-- Edges:  a column that is not asked for is '\none', and one that is asked for but is not there is DuckDB's error.
--         `COLUMNS` renames the column whose name an argument holds. A rank is a negative score.
SELECT
  model,
  query,
  item,
  CASE WHEN $rank IS NULL THEN CAST(score AS DOUBLE) ELSE -CAST(rank AS DOUBLE) END AS score
FROM (
  SELECT
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($model, '\run'))) AS model,
    COLUMNS(LAMBDA _c: lower(_c) = lower($query)) AS query,
    COLUMNS(LAMBDA _c: lower(_c) = lower($item)) AS item,
    COLUMNS(LAMBDA _c: lower(_c) = lower(CASE WHEN $rank IS NULL THEN $score ELSE '\none' END)) AS score,
    COLUMNS(LAMBDA _c: lower(_c) = lower(coalesce($rank, '\none'))) AS rank
  FROM (
    SELECT
      *,
      CAST(1 AS UTINYINT) AS "\run",
      NULL AS "\none"
    FROM query_table($run)
  ) AS given
) AS named
