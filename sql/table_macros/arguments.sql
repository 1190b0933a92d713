-- The argument `k` as a list of cutoffs; NULL is the whole list.
--
-- Grain:  a single row.
-- Params: $k, the argument; $whole, true if the metric reads whole lists whatever its cutoff.
-- Edges:  the columns are read as expressions, because DuckDB folds them before it ranks. wrong_cutoffs refuses what
--         cannot be a cutoff.
SELECT
  CASE
    WHEN $k IS NULL THEN [CAST(NULL AS BIGINT)]
    ELSE TRY_CAST(concat('[', trim(CAST($k AS VARCHAR), '[]'), ']') AS BIGINT[])
  END AS cutoffs,
  CASE
    WHEN NOT $whole THEN list_max(TRY_CAST(concat('[', trim(CAST($k AS VARCHAR), '[]'), ']') AS BIGINT[]))
  END AS depth
