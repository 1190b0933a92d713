-- The gains of every query in their ideal order, as far down as any metric looks at it.
--
-- Grain:  one row per judged query.
-- Params: $ideal_depth, how far down any metric looks at the ideal order.
-- Plan:   instead of ideal, for judged/apart.
-- Edges:  gains holds at least one number, the highest.
SELECT
  query AS query,
  max(gain, $ideal_depth) AS gains,
  CAST(sum(is_relevant) AS BIGINT) AS relevant
FROM graded
GROUP BY query
