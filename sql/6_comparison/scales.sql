-- The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1.
--
-- Grain:  a single row.
-- Params: none.
-- Edges:  `value` and `value_scale` are repeated for each metric.
SELECT
  CASE
    WHEN max(abs(value)) > power_of_2(1023) THEN power_of_2(1023)
    WHEN max(abs(value)) > 1 THEN power(CAST(2 AS DOUBLE), ceil(ln(max(abs(value))) / ln(CAST(2 AS DOUBLE))))
    ELSE CAST(1 AS DOUBLE)
  END AS value_scale
FROM per_query
