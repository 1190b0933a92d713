-- The sums of the differences of four queries, for each choice of signs, as a list: half a block after the other.
--
-- Grain:  one row per model.
-- Params: $baseline, the model that the others are compared with.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Edges:  a half has 16 sums. Bit i of their number is 1 if the query at place i of the half is flipped. A query that
--         is no pair, or that the model lacks, adds 0. list_of_metric is repeated for each metric, as in step_lists;
--         number_of_metric is its metric_no.
SELECT
  model,
  max(CASE WHEN metric_no = number_of_metric THEN sums_list END) AS list_of_metric
FROM (
  SELECT
    model,
    metric_no,
    flatten(list(sums_of_half ORDER BY slice_no ASC NULLS FIRST, half ASC NULLS FIRST)) AS sums_list
  FROM (
    SELECT
      model,
      metric_no,
      slice_no,
      half,
      list_transform(
        range(16),
        LAMBDA choice: CAST(
          coalesce(CASE WHEN choice & 1 = 1 THEN -first_steps ELSE first_steps END, 0)
          + coalesce(CASE WHEN choice & 2 = 2 THEN -second_steps ELSE second_steps END, 0)
          + coalesce(CASE WHEN choice & 4 = 4 THEN -third_steps ELSE third_steps END, 0)
          + coalesce(CASE WHEN choice & 8 = 8 THEN -fourth_steps ELSE fourth_steps END, 0) AS BIGINT
        )
      ) AS sums_of_half
    FROM (
      SELECT
        slice_no,
        2 * block + side AS half
      FROM (
        SELECT
          slice_no,
          place // 8 AS block
        FROM placed
        GROUP BY slice_no, place // 8
      ) AS blocks_of_slices
      CROSS JOIN range(2) AS sides (side)
    ) AS halves
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
        slice_no,
        place // 4 AS half,
        sum(CASE WHEN place % 4 = 0 THEN steps END) AS first_steps,
        sum(CASE WHEN place % 4 = 1 THEN steps END) AS second_steps,
        sum(CASE WHEN place % 4 = 2 THEN steps END) AS third_steps,
        sum(CASE WHEN place % 4 = 3 THEN steps END) AS fourth_steps
      FROM pairs
      INNER JOIN (
        SELECT
          query,
          item_slice_no,
          slice AS own_slice,
          slice_no,
          place
        FROM placed
      ) AS own_places USING (query, item_slice_no)
      WHERE slice IS NOT DISTINCT FROM own_slice
      GROUP BY model, metric_no, slice_no, place // 4
    ) AS steps_of_halves USING (model, metric_no, slice_no, half)
  ) AS sums_of_halves
  GROUP BY model, metric_no
) AS lists_of_metrics
GROUP BY model
