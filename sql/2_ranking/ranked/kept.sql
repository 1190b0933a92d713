-- The top of every query's list without removed items, with the ranks of the run, for ranks = given.
--
-- Grain:  one row per (model, query, item) at a rank up to $depth.
-- Params: $depth, the deepest cutoff, NULL for the whole list.
-- Edges:  score is minus the rank. The items behind a removed item keep their ranks.
SELECT
  model,
  query,
  item,
  1 AS is_recommended,
  CAST(-score AS BIGINT) AS rank
FROM candidates
WHERE $depth IS NULL OR -score <= $depth
