-- Whether a relevant item is in the top k: 1 or 0.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Trec:   success_$k
-- Also:   success, success@$k, HR, HR@$k
-- Source: trec_eval 10.0, success (m_success.c).
-- Edges:  nothing relevant: 0.
SELECT
  model,
  query,
  CAST(coalesce(max(CASE WHEN in_top(rank, $k) THEN found END), 0) AS DOUBLE) AS hit_rate
FROM judged
GROUP BY model, query
