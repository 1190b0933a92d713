-- Recall over what a top k can hold: h_k / min(k, R).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Source: trec_eval 10.0, relative_P (m_relative_P.c); BEIR, R_cap.
-- Edges:  nothing relevant: NULL. Without a cutoff it is recall.
SELECT
  model AS model,
  query AS query,
  CAST(sum(CASE WHEN rank BETWEEN 1 AND coalesce($k, rank) THEN is_relevant ELSE 0 END) AS DOUBLE)
  / nullif(
    CAST(
      CASE
        WHEN max(relevant) < coalesce($k, max(relevant)) THEN max(relevant)
        ELSE coalesce($k, max(relevant))
      END AS DOUBLE
    ),
    0
  ) AS capped_recall
FROM judged
GROUP BY model, query
