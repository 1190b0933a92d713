-- Scores of a list that differ, but are equal as DOUBLE: other scores would decide the order than those of the run.
--
-- Grain:  one row per (model, query, score) with such scores.
-- When:   run = scores; exact_scores = given
-- Reads:  exact_scores: the run, with its scores also as they are, if their type may hold more digits than a DOUBLE.
-- Edges:  DuckDB compares such scores as they are, and needs this only for models with scores of different types, or
--         with ranks. Exact scores of several types are DECIMAL here, and NULL if they do not fit. Lists are grouped
--         only if a score is beyond 2^53 or has decimals, so that other whole numbers cost one scan.
-- Rule:   {score} holds scores that differ, but are equal as DOUBLE, as which they compare
-- Do:     Leave at most 15 digits: subtract the lowest score in a view, or round. Or rank the items there, with
--         row_number(), and pass its column as rank=.
SELECT
  model,
  query,
  score,
  min(exact_score) AS lowest,
  max(exact_score) AS highest
FROM exact_scores
WHERE
  (
    SELECT
      max(
        CASE
          WHEN score < 9007199254740992 AND score > -9007199254740992 AND exact_score = floor(exact_score) THEN 0
          ELSE 1
        END
      )
    FROM exact_scores
  ) = 1
GROUP BY model, query, score
HAVING min(exact_score) < max(exact_score) OR count(exact_score) < count(score)
