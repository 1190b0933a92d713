-- The sums of the differences of four queries, for each choice of signs, as a list: half a block after the other.
--
-- Grain:  one row per model.
-- Params: none.
-- Edges:  a half has 16 sums. Bit i of their number is 1 if the query at place i of the half is flipped. A query that
--         is no pair, or that the model lacks, adds 0. `value_list` and `value_steps` are repeated for each metric.
SELECT
  model,
  list(coalesce(value_steps, 0) ORDER BY slice_no ASC NULLS FIRST, half ASC NULLS FIRST, choice ASC NULLS FIRST)
    AS value_list
FROM (
  SELECT
    model,
    slice_no,
    2 * block + side AS half,
    choice
  FROM (
    SELECT
      slice_no,
      place // 8 AS block
    FROM placed
    GROUP BY slice_no, place // 8
  ) AS blocks_of_slices
  CROSS JOIN range(2) AS sides (side)
  CROSS JOIN range(16) AS choices (choice)
  CROSS JOIN (
    SELECT model
    FROM placed
    GROUP BY model
  ) AS models_compared
) AS all_choices
LEFT JOIN (
  SELECT
    model,
    slice_no,
    place // 4 AS half,
    choice,
    CAST(sum(CASE WHEN (choice >> (place % 4)) & 1 = 1 THEN -value_steps ELSE value_steps END) AS BIGINT) AS value_steps
  FROM placed
  CROSS JOIN range(16) AS choices (choice)
  GROUP BY model, slice_no, place // 4, choice
) AS sums_of_halves USING (model, slice_no, half, choice)
GROUP BY model
