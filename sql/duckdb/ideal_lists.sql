-- The gains of every query in their ideal order, as far down as any metric looks at it.
--
-- Grain:  one row per judged query.
-- Params: $ideal_depth, how far down any metric looks at the ideal order, NULL for all of it.
-- Plan:   instead of ideal, for judged/apart.
-- Edges:  gains holds at least one number, the highest, and no 0 beside others.
SELECT
  query,
  coalesce(
    CASE
      WHEN $ideal_depth IS NULL THEN list_reverse_sort(list(gain) FILTER (WHERE gain > 0))
      ELSE max(gain, $ideal_depth) FILTER (WHERE gain > 0)
    END,
    [CAST(0 AS DOUBLE)]
  ) AS gains,
  CAST(sum(is_relevant) AS BIGINT) AS relevant
FROM graded
GROUP BY query
