-- The means in long form.
--
-- Grain:  as in means.
-- Params: $metric_no, the number of each metric in the order they were asked for.
-- Edges:  as in means, but the kinds of slices are not kept together.
SELECT
  model,
  level_slice AS slice,
  metric,
  k,
  CASE metric_no WHEN $metric_no THEN value_mean END AS value,
  CASE metric_no WHEN $metric_no THEN value_queries END AS queries
FROM averages
CROSS JOIN metrics
ORDER BY model ASC NULLS FIRST, level_slice ASC NULLS FIRST, metric_no ASC NULLS FIRST
