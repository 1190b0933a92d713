-- The sum of the differences with random signs.
--
-- Grain:  one row per (model, slice, sample).
-- Params: none.
-- Edges:  all metrics and models share the signs. `value_steps` and `value_total` are repeated for each metric.
SELECT
  model,
  slice_no,
  sample,
  sum(CASE WHEN flips_all = 1 THEN -value_steps ELSE value_steps END) AS value_total
FROM random_bytes
INNER JOIN block_sums USING (slice_no, block, byte)
GROUP BY model, slice_no, sample
