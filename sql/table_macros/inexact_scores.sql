-- The check of this name, for a run whose type of scores is known only when the macro is called.
--
-- Grain:  one row per (model, query, score) with scores that differ, but are equal as DOUBLE.
-- Params: none.
-- Edges:  as in checks/inexact_scores.sql. DuckDB reads nothing here if a DOUBLE holds all numbers of the type.
SELECT
  model,
  query,
  score,
  min(exact_score) AS lowest,
  max(exact_score) AS highest
FROM exact_scores
WHERE
  regexp_full_match(score_type, 'U?(BIG|HUGE)INT|DECIMAL\((1[6-9]|[23]\d),.*')
  AND (
    score_type LIKE 'DECIMAL%'
    OR (
      SELECT greatest(max(score), -min(score))
      FROM exact_scores
    ) >= 9007199254740992
  )
GROUP BY model, query, score
HAVING min(exact_score) < max(exact_score)
