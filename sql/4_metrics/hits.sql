-- The number of relevant items in the top k: h_k. Papers that report Hits@k usually mean hit_rate@k, the share of
-- queries with a relevant item in the top k.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Slices: items
-- Source: ranx 0.3.21, hits. Without a cutoff and summed over queries it is trec_eval's num_rel_ret.
-- Edges:  no relevant item: 0. Fewer than k retrieved: the whole list counts.
SELECT
  model,
  query,
  CAST(hits_in_top(is_relevant, rank, $k) AS DOUBLE) AS hits
FROM judged
GROUP BY model, query
