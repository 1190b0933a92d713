-- The means in long form.
--
-- Grain:  as in means, for one of the metrics, without slices.
-- Params: $metric_name and $cutoff: its name and cutoff, NULL for the whole list; $weighted and $mean as in averages.
-- Edges:  the statement stacks those of all metrics.
SELECT
  model,
  $metric_name AS metric,
  $cutoff AS k,
  mean_of(value, query_weight, $mean, $weighted) AS value_mean,
  queries_of(value, query_weight, $mean, $weighted) AS value_queries
FROM every_query
GROUP BY model
