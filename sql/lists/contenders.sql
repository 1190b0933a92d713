-- The candidates that can be in the top of their query's list, whatever the order of equal scores.
--
-- Grain:  one row per (model, query, item) whose score reaches the score cutoff of its list.
-- Params: none.
-- Plan:   replaces candidates for ranked if lists are long: most rows are dropped before ranking.
SELECT
  model,
  query,
  item,
  score
FROM candidates
INNER JOIN score_cutoffs USING (model, query)
WHERE score_cutoff IS NULL OR score >= score_cutoff
