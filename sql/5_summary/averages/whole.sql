-- The mean of every metric, and the number of queries in it.
--
-- Grain:  one row per model.
-- Params: $weighted and $mean as in averages; $may_be_empty as in every_query.
-- Edges:  as in averages, without slices. Without any judged query there is no row, also for a run without models.
SELECT
  model,
  0 AS is_slice,
  mean_of(value, query_weight, $mean, $weighted) AS value_mean,
  queries_of(value, query_weight, $mean, $weighted) AS value_queries
FROM every_query
GROUP BY model
HAVING $may_be_empty OR count(*) > 0
