-- The means in long form.
--
-- Grain:  as in means, for one of the metrics.
-- Params: $metric_name and $cutoff: its name and cutoff, NULL for the whole list.
-- Edges:  the statement stacks those of all metrics.
SELECT
  model,
  level_slice AS slice,
  $metric_name AS metric,
  $cutoff AS k,
  value_mean,
  value_queries
FROM averages
