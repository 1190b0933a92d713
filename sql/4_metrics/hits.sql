-- The number of relevant items in the top k: h_k.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Slices: items
-- Source: ranx 0.3.21, hits. Without a cutoff and summed over queries it is trec_eval's num_rel_ret.
-- Edges:  no relevant item: 0. Fewer than k retrieved: the whole list counts. Hits@k of link prediction, a share of
--         queries, is hit_rate@k.
SELECT
  model,
  query,
  CAST(hits_in_top(is_relevant, rank, $k) AS DOUBLE) AS hits
FROM judged
GROUP BY model, query
