-- Recall relative to the most that a top k can hold: h_k / min(k, R), for h_k relevant items in the top k and R in
-- all.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, with k its length.
-- Depth:  $k
-- Ties:   expected
-- Trec:   relative_P_$k, set_relative_P
-- Also:   SetRelP
-- Range:  0 to 1
-- Source: trec_eval 10.0, relative_P (m_relative_P.c); BEIR, R_cap.
-- Edges:  no relevant item, or without a cutoff nothing retrieved: NULL.
SELECT
  model,
  query,
  ratio(
    hits_in_top(is_relevant, rank, $k),
    CASE
      WHEN relevant_items(is_relevant) < coalesce($k, max(retrieved)) THEN relevant_items(is_relevant)
      ELSE coalesce($k, max(retrieved))
    END
  ) AS capped_recall
FROM judged
GROUP BY model, query
