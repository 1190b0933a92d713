-- The differences of all levels as a list, in the order of positions: to look up queries that were drawn.
--
-- Grain:  one row per model.
-- Params: $baseline, the model that the others are compared with.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  NULL for a query that is no pair, or that the model lacks. list_of_metric is repeated for each metric,
--         because one row that looks up ten metrics takes three quarters of the time of ten rows. number_of_metric is
--         its metric_no.
SELECT
  model,
  max(CASE WHEN metric_no = number_of_metric THEN steps_list END) AS list_of_metric
FROM (
  SELECT
    model,
    metric_no,
    list(steps ORDER BY position ASC NULLS FIRST) AS steps_list
  FROM levels
  CROSS JOIN (
    SELECT model
    FROM per_query
    WHERE $baseline IS NULL OR model <> $baseline
    GROUP BY model
  ) AS models_compared
  CROSS JOIN metrics
  LEFT JOIN (
    SELECT
      model,
      metric_no,
      position,
      steps
    FROM pairs
    INNER JOIN (
      SELECT
        query,
        item_slice_no,
        slice AS own_slice,
        position
      FROM levels
    ) AS own_positions USING (query, item_slice_no)
    WHERE slice IS NOT DISTINCT FROM own_slice
  ) AS steps_of_pairs USING (model, metric_no, position)
  GROUP BY model, metric_no
) AS lists_of_metrics
GROUP BY model
