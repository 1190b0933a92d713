-- The argument `k` as a list of cutoffs; NULL is the whole list.
--
-- Grain:  a single row.
-- Params: $k, the argument.
-- Edges:  the columns are read as expressions, because DuckDB folds them before it ranks.
SELECT
  CASE
    WHEN $k IS NULL THEN [CAST(NULL AS BIGINT)]
    WHEN typeof($k) LIKE '%]' THEN TRY_CAST(CAST($k AS VARCHAR) AS BIGINT[])
    ELSE [TRY_CAST(CAST($k AS VARCHAR) AS BIGINT)]
  END AS cutoffs,
  CASE
    WHEN $k IS NULL OR CAST($k AS VARCHAR) LIKE '%NULL%' THEN NULL
    WHEN typeof($k) LIKE '%]' THEN list_max(TRY_CAST(CAST($k AS VARCHAR) AS BIGINT[]))
    ELSE TRY_CAST(CAST($k AS VARCHAR) AS BIGINT)
  END AS depth,
  CASE
    WHEN typeof($k) LIKE '%]' THEN TRY_CAST(CAST($k AS VARCHAR) AS BIGINT[])[1]
    ELSE TRY_CAST(CAST($k AS VARCHAR) AS BIGINT)
  END AS first_cutoff
