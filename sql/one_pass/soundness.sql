-- 1 if every data check of `evaluate` would pass, else 0.
--
-- Grain:  one row per model.
-- Params: $missing and $no_relevant, which may be 'error'.
-- Plan:   its column is computed with counts and averages, from per_query/one_pass.
SELECT
  model,
  CASE
    WHEN min(is_sound) = 0 OR max(retrieved) = 0 OR max(relevant) = 0 THEN 0
    WHEN $missing = 'error' AND min(retrieved) = 0 THEN 0
    WHEN $no_relevant = 'error' AND min(relevant) = 0 THEN 0
    ELSE 1
  END AS is_sound
FROM per_query
GROUP BY model
