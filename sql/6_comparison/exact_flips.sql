-- The share of all choices of signs whose sum of differences is at least as far from 0 as their own.
--
-- Grain:  one row per (model, metric), and with slices one per (model, slice, metric), with as few differences other
--         than 0 as there are signs to try.
-- Params: $most_flips, how many differences these may be; $sliced: true with slices.
SELECT
  model,
  is_slice,
  level_slice,
  metric_no,
  count(CASE WHEN abs(total) >= abs(own_total) THEN 1 END) / count(*) AS p
FROM (
  SELECT
    model,
    is_slice,
    level_slice,
    metric_no,
    choice,
    sum(CASE WHEN (choice >> place) & 1 = 1 THEN -steps ELSE steps END) AS total,
    sum(steps) AS own_total
  FROM (
    SELECT
      *,
      row_number() OVER (PARTITION BY model, is_slice, level_slice, metric_no ORDER BY steps ASC NULLS FIRST)
      - 1 AS place,
      count(*) OVER (PARTITION BY model, is_slice, level_slice, metric_no) AS flips
    FROM (
      SELECT
        model,
        is_slice,
        CASE WHEN is_slice = 1 THEN slice END AS level_slice,
        metric_no,
        steps
      FROM pairs
      CROSS JOIN (
        SELECT 0 AS is_slice
        UNION ALL
        SELECT 1 AS is_slice
      ) AS levels
      WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
    ) AS of_metric
    WHERE steps <> 0
  ) AS changes
  INNER JOIN range(CAST(power(2, $most_flips) AS BIGINT)) AS choices (choice) ON choice < power(2, flips)
  WHERE flips <= $most_flips
  GROUP BY model, is_slice, level_slice, metric_no, choice
) AS totals
GROUP BY model, is_slice, level_slice, metric_no
