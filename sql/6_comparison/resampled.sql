-- The mean difference of the queries drawn.
--
-- Grain:  one row per (model, level, sample).
-- Params: none.
-- Edges:  all metrics and models share the draws. A query that is no pair is drawn too, and counts in no mean. The
--         columns that start with `value` are repeated for each metric.
SELECT
  model,
  level_no,
  sample,
  CAST(sum(value_list[drawn]) AS DOUBLE)
  / nullif(count(value_list[drawn]), 0)
  * (max(value_scale) / power_of_2(40)) AS value_mean
FROM draws
GROUP BY model, level_no, sample
