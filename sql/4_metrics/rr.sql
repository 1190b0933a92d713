-- The reciprocal rank of the first relevant item, 1 / rank, or 0 if none is in the top k. The mean over queries is
-- MRR.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Slices: items
-- Trec:   recip_rank, recip_rank_$k
-- Also:   mrr, mrr@$k, ARHR, ARHR@$k
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_recip_rank.c.
-- Edges:  no relevant item in the top k: 0. ARHR has one relevant item for each query; where others sum the
--         reciprocal ranks of several, the numbers differ.
SELECT
  model,
  query,
  first_in_top(is_relevant, rank, $k) AS rr
FROM judged
GROUP BY model, query
