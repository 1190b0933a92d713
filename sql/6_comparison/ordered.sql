-- The queries of each model in the order of their change, with the largest loss first.
--
-- Grain:  one row per (model, query) that is a pair; place is 1 for the largest loss, and pairs counts the queries.
-- Params: $lower_is_better: true if a lower value is better, so that the largest rise is the largest loss;
--         $tie_within, the largest difference that is a tie; $whole_queries: true to leave out rows of item slices.
-- Edges:  there is one metric. Equal changes are ordered by query. Differences are compared in
--         whole steps.
SELECT
  model,
  query,
  slice,
  base AS baseline,
  value,
  value - base AS delta,
  CASE WHEN abs(steps) <= $tie_within / scale * power_of_2(40) THEN 1 ELSE 0 END AS is_tie,
  row_number() OVER (
    PARTITION BY model
    ORDER BY CASE WHEN $lower_is_better THEN -steps ELSE steps END ASC NULLS FIRST, query ASC NULLS FIRST
  ) AS place,
  count(*) OVER (PARTITION BY model) AS pairs
FROM pairs
WHERE steps IS NOT NULL AND (NOT $whole_queries OR item_slice_no = 0)
