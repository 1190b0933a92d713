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
  model AS model,
  query AS query,
  CAST(coalesce(max(CASE WHEN rank BETWEEN 1 AND coalesce($k, rank) THEN hits END), 0) AS DOUBLE)
  / nullif(
    CAST(
      CASE
        WHEN max(relevant) < coalesce($k, max(retrieved)) THEN max(relevant)
        ELSE coalesce($k, max(retrieved))
      END AS DOUBLE
    ),
    0
  ) AS capped_recall
FROM judged
GROUP BY model, query
