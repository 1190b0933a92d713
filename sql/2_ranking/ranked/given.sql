-- Every query's list with the ranks of the run, for ranks = given.
--
-- Grain:  one row per (model, query, item).
-- Params: $list_depth, the policy depth: the deepest rank that counts, NULL for any.
-- Edges:  ranks may skip numbers, and the items behind a removed item keep their ranks. So the top of a list does not
--         say how many items the list holds: lists are not cut at the deepest cutoff. score is minus the rank.
SELECT
  model,
  query,
  item,
  1 AS is_recommended,
  CAST(-score AS BIGINT) AS rank
FROM candidates
WHERE $list_depth IS NULL OR -score <= $list_depth
