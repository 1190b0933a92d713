-- The run for duplicates = best: an item that a list holds twice counts once, at its best score or first place.
--
-- Grain:  one row per (model, query, item).
-- Params: $semantics: 'trec_eval_9' compares scores as 32-bit floats, so that 1 + 1e-12 is 1, and 1e300 is infinite.
-- Edges:  a NULL score loses to any number.
SELECT
  model,
  query,
  item,
  CASE
    WHEN $semantics <> 'trec_eval_9' THEN max(score)
    WHEN max(score) >= CAST(3.4028235677973366e38 AS DOUBLE) THEN CAST('1.7976931348623157e308' AS DOUBLE)
    WHEN max(score) <= CAST(-3.4028235677973366e38 AS DOUBLE) THEN CAST('-1.7976931348623157e308' AS DOUBLE)
    ELSE CAST(CAST(max(score) AS FLOAT) AS DOUBLE)
  END AS score
FROM run_units
GROUP BY model, query, item
