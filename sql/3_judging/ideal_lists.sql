-- The gains of every query in their ideal order, as far down as any metric looks at it.
--
-- Grain:  one row per judged query.
-- Params: $ideal_depth, how far down any metric looks at the ideal order, NULL for all of it.
-- Plan:   instead of ideal, for judged/apart.
-- Edges:  gains holds at least one number, the highest.
SELECT
  query AS query,
  CASE WHEN $ideal_depth IS NULL THEN list_reverse_sort(list(gain)) ELSE max(gain, $ideal_depth) END AS gains,
  CAST(sum(is_relevant) AS BIGINT) AS relevant
FROM graded
GROUP BY query
