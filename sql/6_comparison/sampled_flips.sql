-- The share of samples whose sum of differences is at least as far from 0 as without random signs.
--
-- Grain:  one row per (model, metric) (is_slice = 0), and with slices one per (model, slice, metric) (is_slice = 1).
-- Params: $sliced: true with slices.
-- Edges:  sample 0 has the signs as they are, and counts.
SELECT
  model,
  is_slice,
  level_slice,
  metric_no,
  count(CASE WHEN abs(total) >= own_limit THEN 1 END) / count(*) AS p
FROM (
  SELECT
    *,
    max(CASE WHEN sample = 0 THEN abs(total) END) OVER (
      PARTITION BY model, is_slice, level_slice, metric_no
    ) AS own_limit
  FROM (
    SELECT
      model,
      is_slice,
      CASE WHEN is_slice = 1 THEN slice END AS level_slice,
      metric_no,
      sample,
      sum(total) AS total
    FROM flipped
    INNER JOIN (
      SELECT
        slice_no,
        slice,
        item_slice_no
      FROM placed
      GROUP BY slice_no, slice, item_slice_no
    ) AS slice_numbers USING (slice_no)
    CROSS JOIN (
      SELECT 0 AS is_slice
      UNION ALL
      SELECT 1 AS is_slice
    ) AS levels
    WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
    GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END, metric_no, sample
  ) AS totals
) AS with_limits
GROUP BY model, is_slice, level_slice, metric_no
