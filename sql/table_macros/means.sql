-- The means of metrics, of all queries and of each slice, with a row for each metric and cutoff.
--
-- Grain:  one row per (model, slice, k, metric).
-- Params: $by, the argument; $metric, the name of a metric; $mean, its kind of mean.
-- Edges:  `value`, and the struct that contains it, is repeated for each metric; its fields are columns of the answer.
SELECT
  model,
  slice,
  unnest(means, recursive := TRUE) -- noqa: AL03
FROM (
  SELECT
    model,
    slice,
    [{ 'metric': $metric, 'k': k, 'value': mean_of(value, 1, $mean, FALSE), 'queries': count(value) }] AS means
  FROM query_values
  GROUP BY GROUPING SETS ((model, k), (model, k, slice))
  HAVING grouping(slice) = 1 OR ($by IS NOT NULL AND slice IS NOT NULL)
  ORDER BY model ASC NULLS FIRST, grouping(slice) DESC, slice ASC NULLS FIRST, k ASC NULLS FIRST
) AS sorted
