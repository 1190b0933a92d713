-- The gains of every query in ideal order, down to the deepest cutoff.
--
-- Grain:  one row per judged query.
-- Params: $ideal_depth, the deepest cutoff of metrics that read the ideal order, NULL for all of it.
-- Plan:   replaces ideal for judged/apart.
-- Edges:  gains holds at least one number, the highest, and no 0 after it.
SELECT
  query,
  coalesce(
    CASE
      WHEN $ideal_depth IS NULL THEN sorted_down(list(gain) FILTER (WHERE gain > 0))
      ELSE max(gain, $ideal_depth) FILTER (WHERE gain > 0)
    END,
    [CAST(0 AS DOUBLE)]
  ) AS gains,
  CAST(sum(is_relevant) AS BIGINT) AS relevant
FROM graded
GROUP BY query
