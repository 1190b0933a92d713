-- Recall over what a top k can hold: h_k / min(k, R).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, whose length n it then is.
-- Depth:  $k
-- Ties:   expected
-- Trec:   relative_P_$k, set_relative_P
-- Source: trec_eval 10.0, relative_P (m_relative_P.c); BEIR, R_cap.
-- Edges:  nothing relevant, or without a cutoff nothing retrieved: NULL.
SELECT
  model,
  query,
  ratio(
    hits_in_top(hits, rank, $k),
    CASE
      WHEN max(relevant) < coalesce($k, max(retrieved)) THEN max(relevant)
      ELSE coalesce($k, max(retrieved))
    END
  ) AS capped_recall
FROM judged
GROUP BY model, query
