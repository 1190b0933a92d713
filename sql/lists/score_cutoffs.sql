-- The score that an item needs to be in the top of its query's list.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff.
-- Plan:   for top_candidates: `max(score, k)` keeps k numbers a query, and no row.
-- Edges:  score_cutoff is NULL for a list with fewer scores: the whole list is the top.
SELECT
  model,
  query,
  list_extract(max(score, $depth), $depth) AS score_cutoff
FROM candidates
GROUP BY model, query
