-- The argument `k` as a list of cutoffs; NULL is the whole list.
--
-- Grain:  a single row.
-- Params: $k, the argument.
-- Edges:  the columns are read as expressions, because DuckDB folds them before it ranks. wrong_cutoffs refuses what
--         cannot be a cutoff.
SELECT
  CASE
    WHEN $k IS NULL THEN [CAST(NULL AS BIGINT)]
    ELSE TRY_CAST(concat('[', trim(CAST($k AS VARCHAR), '[]'), ']') AS BIGINT[])
  END AS cutoffs,
  list_max(TRY_CAST(concat('[', trim(CAST($k AS VARCHAR), '[]'), ']') AS BIGINT[])) AS depth,
  TRY_CAST(concat('[', trim(CAST($k AS VARCHAR), '[]'), ']') AS BIGINT[])[1] AS first_cutoff
