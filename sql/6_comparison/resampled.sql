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
  CAST(sum(CASE WHEN drawn >= 0 THEN value_steps END) AS DOUBLE)
  / nullif(count(CASE WHEN drawn >= 0 THEN value_steps END), 0)
  * (max(value_scale) / power_of_2(40)) AS value_mean
FROM levels
INNER JOIN (
  SELECT
    level_no,
    level_place,
    sample,
    level_place AS drawn
  FROM draws
) AS drawn_queries USING (level_no, level_place)
GROUP BY model, level_no, sample
