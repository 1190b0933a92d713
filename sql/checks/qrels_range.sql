-- Rows of the qrels whose relevance is too large for an exact mean over millions of queries.
--
-- Grain:  one row per such row of the qrels.
-- Seen:   lists, one_pass
-- Rule:   {relevance} is 1e12 or more
-- Do:     Divide all relevance values by a constant: ndcg does not change.
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE relevance >= CAST(1e12 AS DOUBLE)
