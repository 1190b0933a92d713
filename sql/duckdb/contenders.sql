-- The candidates that can be in the top of their query's list, whatever the order of equal scores.
--
-- Grain:  one row per (model, query, item) whose score is at least that of the last one in the top.
-- Params: none.
-- Plan:   instead of candidates, for ranked: where lists are long and metrics look at their top, most rows go here.
SELECT
  model,
  query,
  item,
  score
FROM candidates
INNER JOIN score_cutoffs USING (model, query)
WHERE score_cutoff IS NULL OR score >= score_cutoff
