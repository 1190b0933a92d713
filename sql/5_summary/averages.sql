-- The mean of every metric, summed exactly in units of 2^-70, and the number of queries in it.
--
-- Grain:  one row per model (is_slice = 0), and with slices one per (model, slice) (is_slice = 1).
-- Params: $sliced: true with slices; $item_sliced: true if slices are of items; $weighted: true with weights, which
--         arithmetic and geometric means use; $mean, how values are averaged: a geometric mean raises values below
--         0.00001 to it, and a metric of the whole run has one value.
-- Option: $mean = arithmetic in {arithmetic, geometric, sum, median, q10, q25, q75, q90}
-- Source: the geometric mean: trec_eval 10.0, m_gm_map.c.
-- Edges:  level_slice is the slice, NULL if is_slice = 0. `value`, `value_mean` and `value_queries` are repeated for
--         each metric. A query whose value is NULL or whose weight is 0 does not count; the mean of none is NULL. unit
--         is the number of units in 1. The order of rows changes no bit of the mean.
SELECT
  model,
  is_slice,
  CASE WHEN is_slice = 1 THEN slice END AS level_slice,
  CASE
    WHEN $mean = 'whole' THEN max(CASE WHEN is_slice = 0 THEN value END)
    WHEN $mean = 'median' THEN quantile_cont(value, 0.5)
    WHEN $mean = 'q10' THEN quantile_cont(value, 0.1)
    WHEN $mean = 'q25' THEN quantile_cont(value, 0.25)
    WHEN $mean = 'q75' THEN quantile_cont(value, 0.75)
    WHEN $mean = 'q90' THEN quantile_cont(value, 0.9)
    WHEN $mean = 'sum' THEN CAST(sum(CAST(value * unit AS DECIMAL(38, 0))) AS DOUBLE) / unit
    WHEN $mean = 'geometric'
      THEN
        exp(
          CAST(
            sum(
              CAST(
                ln(CASE WHEN value < CAST('0.00001' AS DOUBLE) THEN CAST('0.00001' AS DOUBLE) ELSE value END)
                * CASE WHEN $weighted THEN query_weight ELSE CAST(1 AS DOUBLE) END
                * unit AS DECIMAL(38, 0)
              )
            ) AS DOUBLE
          )
          / nullif(
            CASE
              WHEN $weighted
                THEN
                  CAST(
                    sum(CAST(CASE WHEN value IS NOT NULL THEN query_weight END * unit AS DECIMAL(38, 0))) AS DOUBLE
                  )
              ELSE CAST(count(value) AS DOUBLE) * unit
            END,
            0
          )
        )
    WHEN $weighted
      THEN
        CAST(sum(CAST(value * query_weight * unit AS DECIMAL(38, 0))) AS DOUBLE)
        / nullif(
          CAST(sum(CAST(CASE WHEN value IS NOT NULL THEN query_weight END * unit AS DECIMAL(38, 0))) AS DOUBLE),
          0
        )
    ELSE
      CAST(sum(CAST(value * unit AS DECIMAL(38, 0))) AS DOUBLE) / unit / nullif(CAST(count(value) AS DOUBLE), 0)
  END AS value_mean,
  CASE
    WHEN $mean = 'whole' THEN count(CASE WHEN is_slice = 0 THEN value END)
    WHEN $weighted AND $mean <> 'sum' THEN count(CASE WHEN query_weight > 0 THEN value END)
    ELSE count(value)
  END AS value_queries
FROM every_query
CROSS JOIN (
  SELECT
    0 AS is_slice,
    power_of_2(70) AS unit
  UNION ALL
  SELECT
    1 AS is_slice,
    power_of_2(70) AS unit
) AS levels
WHERE
  (is_slice = 0 AND (NOT $item_sliced OR item_slice_no = 0))
  OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
GROUP BY model, is_slice, unit, CASE WHEN is_slice = 1 THEN slice END
