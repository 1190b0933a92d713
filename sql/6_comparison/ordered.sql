-- The queries of each model in the order of their change, with the largest loss first.
--
-- Grain:  one row per (model, query) that is a pair; place is 1 for the largest loss, and pairs counts the queries.
-- Params: none.
-- Edges:  `value` is the column of the one metric. Equal changes are in the order of their queries.
SELECT
  model,
  query,
  slice,
  value_base AS baseline,
  value,
  value - value_base AS delta,
  row_number() OVER (PARTITION BY model ORDER BY value_steps ASC NULLS FIRST, query ASC NULLS FIRST) AS place,
  count(*) OVER (PARTITION BY model) AS pairs
FROM pairs
WHERE value_steps IS NOT NULL
