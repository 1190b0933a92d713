-- The average rank of the relevant items in the top k: 1 is the best.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Better: lower
-- Slices: items
-- Empty:  skip
-- Source: the mean rank of Bordes et al., Learning Structured Embeddings of Knowledge Bases, AAAI 2011, over retrieved
--         items.
-- Edges:  no relevant item in the top k: NULL, and the query is not counted. So compare it only with the recall at the
--         same cutoff.
SELECT
  model,
  query,
  ratio(
    sum(CASE WHEN is_relevant = 1 AND in_top(rank, $k) THEN rank END),
    sum(CASE WHEN is_relevant = 1 AND in_top(rank, $k) THEN 1 END)
  ) AS average_rank
FROM judged
GROUP BY model, query
