-- The reciprocal of the rank of the first relevant item, if that is in the top k: 1 / rank. Its mean is MRR.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Source: trec_eval 10.0, m_recip_rank.c.
-- Edges:  no relevant item in the top k: 0.
SELECT
  model AS model,
  query AS query,
  coalesce(
    CAST(1 AS DOUBLE)
    / CAST(min(CASE WHEN is_relevant = 1 AND rank BETWEEN 1 AND coalesce($k, rank) THEN rank END) AS DOUBLE),
    0
  ) AS rr
FROM judged
GROUP BY model, query
