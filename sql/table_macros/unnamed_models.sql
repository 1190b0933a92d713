-- A message if the run may hold several models, because a column that no argument names says so; NULL if not.
--
-- Grain:  a single row.
-- Params: $statement, which reads the run; $usual_models, names of columns of models; the arguments of the macro.
-- Edges:  as in checks/unnamed_models.sql. A run without such a column has '\recall_duckdb_none' instead.
SELECT coalesce(*COLUMNS(*)) AS mistake
FROM (
  SELECT
    CASE
      WHEN min(CAST(COLUMNS(*) AS VARCHAR)) <> max(CAST(COLUMNS(*) AS VARCHAR))
        THEN
          concat(
            'run: no argument names column ''', min(alias(COLUMNS(*))),
            ''', but its name is usual for models, and it holds several values, for example ''',
            min(CAST(COLUMNS(*) AS VARCHAR)),
            '''. If they are models, pass the column as model. If all rows of a query are one list, pass a view ',
            'without the column'
          )
    END
  FROM (
    SELECT
      COLUMNS(
        LAMBDA _c: _c = '\recall_duckdb_none'
        OR (
          $model IS NULL
          AND list_contains($usual_models, regexp_replace(lower(_c), '[^a-z0-9]', '', 'g'))
          AND NOT list_contains(
            list_filter(
              [lower($query), lower($item), lower($score), lower($rank), lower($by)], LAMBDA _name: _name IS NOT NULL
            ),
            lower(_c)
          )
        )
      )
    FROM (
      SELECT
        *,
        NULL AS "\recall_duckdb_none"
      FROM query($statement)
    ) AS given
  ) AS unnamed
) AS messages
