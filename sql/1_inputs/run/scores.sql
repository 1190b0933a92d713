-- The run, from a relation with one row per candidate and its score.
--
-- Grain:  one row per (model, query, item), as often as the user's relation holds it.
-- Params: $semantics: 'trec_eval_9' compares scores as 32-bit floats, so that 1 + 1e-12 is 1, and 1e300 is infinite.
SELECT
  model,
  query,
  item,
  CASE
    WHEN $semantics <> 'trec_eval_9' THEN score
    WHEN score >= CAST(3.4028235677973366e38 AS DOUBLE) THEN CAST('1.7976931348623157e308' AS DOUBLE)
    WHEN score <= CAST(-3.4028235677973366e38 AS DOUBLE) THEN CAST('-1.7976931348623157e308' AS DOUBLE)
    ELSE CAST(CAST(score AS FLOAT) AS DOUBLE)
  END AS score
FROM run_source
