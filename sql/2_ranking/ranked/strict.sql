-- Each query's candidates with the ranks of the run.
--
-- Grain:  one row per (model, query, item) among the first $depth of its query.
-- Params: $depth, the deepest cutoff, NULL for the whole list.
-- Edges:  the check `ranks` refuses ranks that are not 1, 2, 3, … in every query.
SELECT
  model,
  query,
  item,
  1 AS is_recommended,
  rank
FROM candidates
WHERE $depth IS NULL OR rank <= $depth
