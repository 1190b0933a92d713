-- The comparison of models with the baseline in long form, with p-values adjusted for the number of models.
--
-- Grain:  one row per (model, metric, k), and with slices one per (model, slice, metric, k), without the baseline.
-- Params: $correction, 'holm', 'bonferroni', 'bh' or 'none'; $over_slices: true to correct for the number of slices
--         too.
-- Reads:  metrics: metric_no, metric, k (NULL for the whole list), one row per metric.
-- Source: Holm 1979; Bonferroni; Benjamini and Hochberg 1995; effect: Cohen's d of pairs.
-- Edges:  a family is the models that are compared on one metric in one slice; a p that is NULL is in no family. t and
--         effect are NULL for fewer than two pairs, and where all differences are equal. The slice columns are NULL in
--         the rows over all queries, which come first.
SELECT
  model,
  level_slice AS slice,
  metric,
  k,
  queries,
  unpaired,
  base_mean AS baseline,
  mean AS value,
  delta,
  sd,
  low,
  high,
  wins,
  ties,
  losses,
  delta / nullif(sd / sqrt(queries), 0) AS t,
  p,
  CASE
    WHEN $correction = 'none' OR p IS NULL THEN p
    WHEN $correction = 'bonferroni' THEN least(p * tests, 1)
    WHEN $correction = 'holm'
      THEN
        least(
          max(p * (tests + 1 - place)) OVER (
            PARTITION BY metric_no, is_slice > 0, CASE WHEN NOT $over_slices THEN level_slice END, p IS NULL
            ORDER BY place ASC NULLS FIRST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
          ),
          1
        )
    ELSE
      least(
        min(p * tests / place) OVER (
          PARTITION BY metric_no, is_slice > 0, CASE WHEN NOT $over_slices THEN level_slice END, p IS NULL
          ORDER BY place DESC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ),
        1
      )
  END AS p_adjusted,
  delta / nullif(sd, 0) AS effect
FROM (
  SELECT
    *,
    count(p) OVER (
      PARTITION BY metric_no, is_slice > 0, CASE WHEN NOT $over_slices THEN level_slice END
    ) AS tests,
    row_number() OVER (
      PARTITION BY metric_no, is_slice > 0, CASE WHEN NOT $over_slices THEN level_slice END, p IS NULL
      ORDER BY p ASC NULLS FIRST, model ASC NULLS FIRST, level_slice ASC NULLS FIRST
    ) AS place
  FROM tested
) AS placed_tests
INNER JOIN metrics USING (metric_no)
ORDER BY model ASC NULLS FIRST, is_slice ASC NULLS FIRST, level_slice ASC NULLS FIRST, metric_no ASC NULLS FIRST
