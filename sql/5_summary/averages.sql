-- The mean of every metric, and the number of queries in it.
--
-- Grain:  one row per model (is_slice = 0), and with slices one per (model, slice) (is_slice = 1).
-- Params: $sliced: true with slices; $item_sliced: true if slices are of items; $weighted: true with weights, which
--         arithmetic and geometric means use; $mean, how values are averaged: a geometric mean raises values below
--         0.00001 to it, and a metric of the whole run has one value.
-- Option: $mean = arithmetic in {arithmetic, geometric, sum, median, q10, q25, q75, q90}
-- Source: the geometric mean: trec_eval 10.0, m_gm_map.c.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. `value`, `value_mean` and `value_queries` are repeated for
--         each metric. A query whose value is NULL or whose weight is 0 does not count; the mean of none is NULL. The
--         order of rows changes no bit of the mean.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  mean_of(CASE WHEN $mean <> 'whole' OR is_slice = 0 THEN value END, query_weight, $mean, $weighted) AS value_mean,
  queries_of(CASE WHEN $mean <> 'whole' OR is_slice = 0 THEN value END, query_weight, $mean, $weighted) AS value_queries
FROM every_query
CROSS JOIN (
  SELECT 0 AS is_slice
  UNION ALL
  SELECT 1 AS is_slice
) AS levels
WHERE
  (is_slice = 0 AND (NOT $item_sliced OR item_slice_no = 0))
  OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
GROUP BY model, is_slice, CASE WHEN is_slice = 1 THEN slice END
