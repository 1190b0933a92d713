-- The sum of the differences with random signs.
--
-- Grain:  one row per (model, slice, sample, metric).
-- Params: none.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  all metrics and models share the signs. The last query of a block is never flipped by byte. Columns whose
--         names end in `_of_metric` are repeated for each metric; number_of_metric is its metric_no.
SELECT
  model,
  slice_no,
  sample,
  metric_no,
  CASE metric_no WHEN number_of_metric THEN total_of_metric END AS total
FROM (
  SELECT
    model,
    slice_no,
    sample,
    sum(
      (
        list_of_metric[32 * place_of_block + (byte & 15) + 1]
        + list_of_metric[32 * place_of_block + 16 + (byte >> 4) + 1]
      )
      * CASE WHEN flips_all = 1 THEN -1 ELSE 1 END
    ) AS total_of_metric
  FROM random_bytes
  GROUP BY model, slice_no, sample
) AS totals_of_all
CROSS JOIN metrics
