-- The sum of the differences in a block of eight queries, for each choice of signs under which the last one is kept.
--
-- Grain:  one row per (model, slice, block, byte): bit i of byte is 1 if the query at place i of the block is flipped.
-- Params: none.
-- Edges:  `value_steps` is repeated for each metric.
SELECT
  model,
  slice_no,
  place // 8 AS block,
  byte,
  CAST(sum(CASE WHEN (byte >> (place % 8)) & 1 = 1 THEN -value_steps ELSE value_steps END) AS BIGINT) AS value_steps
FROM placed
CROSS JOIN range(128) AS bytes (byte)
GROUP BY model, slice_no, place // 8, byte
