-- What the argument `k` says: a number or a list, where NULL is the whole list.
--
-- Grain:  a single row.
-- Params: $k, the argument.
-- Edges:  the columns are read as expressions, because DuckDB folds them before it ranks.
SELECT
  CASE
    WHEN typeof($k) LIKE '%]' THEN CAST(CAST($k AS VARCHAR) AS BIGINT[])
    ELSE [CAST(CAST($k AS VARCHAR) AS BIGINT)]
  END AS cutoffs,
  CASE
    WHEN CAST($k AS VARCHAR) LIKE '%NULL%' THEN NULL
    WHEN typeof($k) LIKE '%]' THEN list_max(CAST(CAST($k AS VARCHAR) AS BIGINT[]))
    ELSE CAST(CAST($k AS VARCHAR) AS BIGINT)
  END AS depth,
  CASE
    WHEN typeof($k) LIKE '%]' THEN CAST(CAST($k AS VARCHAR) AS BIGINT[])[1]
    ELSE CAST(CAST($k AS VARCHAR) AS BIGINT)
  END AS first_cutoff
