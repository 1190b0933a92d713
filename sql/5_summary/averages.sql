-- The mean of every metric, and how many queries it is the mean of.
--
-- Grain:  one row per model (is_slice = 0), and one per (model, slice) where slices are asked for (is_slice = 1).
-- Params: $sliced, whether slices are asked for.
-- Edges:  `value`, `value_mean` and `value_queries` stand for the columns of each metric. A query whose value is NULL
--         is not counted; the mean over none is NULL. Values are summed exactly, as whole numbers of 2^-70, so that the
--         order of the rows changes no bit of the mean.
SELECT
  model AS model,
  is_slice AS is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS slice,
  CAST(sum(CAST(value * power(CAST(2 AS DOUBLE), CAST(70 AS DOUBLE)) AS DECIMAL(38, 0))) AS DOUBLE)
  / power(CAST(2 AS DOUBLE), CAST(70 AS DOUBLE))
  / nullif(CAST(count(value) AS DOUBLE), 0) AS value_mean,
  count(value) AS value_queries
FROM per_query
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
WHERE is_slice = 0 OR ($sliced AND slice IS NOT NULL)
GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END
