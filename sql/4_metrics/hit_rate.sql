-- 1 if a relevant item is in the top k, otherwise 0.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Slices: items
-- Trec:   success_$k
-- Also:   success, success@$k, HR, HR@$k, hit, hit@$k, HitRate, HitRate@$k, hit_ratio, hit_ratio@$k, HitRatio,
--         HitRatio@$k, recall_any, recall_any@$k, accuracy@$k
-- Range:  0 to 1
-- Source: trec_eval 10.0, success (m_success.c). accuracy@k as in DPR and sentence-transformers, recall_any as in
--         LongMemEval.
-- Edges:  no relevant item: 0.
SELECT
  model,
  query,
  CAST(found_in_top(is_relevant, rank, $k) AS DOUBLE) AS hit_rate
FROM judged
GROUP BY model, query
