-- TRUE, or an error for the first mistake in the arguments, else for the first fault of the data.
--
-- Grain:  a single row.
-- Params: $mistake, a mistake in the options of the metric; $only_faults, true to return the faults instead.
-- Edges:  one CASE decides: DuckDB runs several conditions at the same time, and the fastest would raise its error.
SELECT CASE WHEN message IS NULL THEN TRUE ELSE error(message) END AS is_sound
FROM (
  SELECT arg_min(message, place) AS message
  FROM (
    SELECT
      -7 AS place,
      mistake AS message
    FROM missing_columns
    UNION ALL
    SELECT
      -6 AS place,
      mistake AS message
    FROM mistakes
    UNION ALL
    SELECT
      -5 AS place,
      mistake AS message
    FROM wrong_cutoffs
    UNION ALL
    SELECT
      -4 AS place,
      mistake AS message
    FROM wrong_files
    UNION ALL
    SELECT
      -3 AS place,
      mistake AS message
    FROM key_types
    UNION ALL
    SELECT
      -2 AS place,
      mistake AS message
    FROM unnamed_models
    UNION ALL
    SELECT
      -1 AS place,
      $mistake AS message
    UNION ALL
    SELECT
      place,
      concat(
        upper(substring(rule, 1, 1)), substring(rule, 2),
        CASE
          WHEN example IS NOT NULL
            THEN concat(
              ' (', CASE WHEN faults = 1 THEN '1 case' ELSE format('{:,} cases', faults) END, '), for example ', example
            )
        END,
        '. ', "do"
      ) AS message
    FROM faults
    WHERE NOT $only_faults
  ) AS messages
  WHERE message IS NOT NULL
) AS first_message
