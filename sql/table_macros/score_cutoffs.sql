-- The score that an item needs to be in the top of its query's list.
--
-- Grain:  one row per (model, query) of the run; none if lists are short.
-- Params: $depth, the deepest cutoff, NULL for the whole list.
-- Edges:  score_cutoff is NULL for a list with fewer scores: the whole list is the top.
SELECT
  model,
  query,
  list_extract(max(score, greatest(least(coalesce($depth, 1), 1000), 1)), $depth) AS score_cutoff
FROM run
WHERE
  (
    SELECT are_long
    FROM list_lengths
  )
GROUP BY model, query
