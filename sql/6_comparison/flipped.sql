-- The sum of the differences with random signs.
--
-- Grain:  one row per (model, slice, sample).
-- Params: none.
-- Edges:  all metrics and models share the signs. The last query of a block is never flipped by byte. `value_list` and
--         `value_total` are repeated for each metric.
SELECT
  model,
  slice_no,
  sample,
  sum(
    (value_list[32 * place_of_block + (byte & 15) + 1] + value_list[32 * place_of_block + 16 + (byte >> 4) + 1])
    * CASE WHEN flips_all = 1 THEN -1 ELSE 1 END
  ) AS value_total
FROM random_bytes
GROUP BY model, slice_no, sample
