-- The qrels in ideal order, as a perfect system would return them.
--
-- Grain:  one row per (query, judged item).
-- Params: none.
-- Edges:  equal relevance is ordered by item, which changes no metric. top_gain and relevant are equal in all rows of a
--         query.
SELECT
  query,
  item,
  relevance,
  is_relevant,
  gain,
  max(gain) OVER (PARTITION BY query) AS top_gain,
  row_number() OVER (PARTITION BY query ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(sum(is_relevant) OVER (PARTITION BY query) AS BIGINT) AS relevant
FROM graded
