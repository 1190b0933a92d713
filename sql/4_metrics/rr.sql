-- The reciprocal of the rank of the first relevant item, if that is in the top k: 1 / rank. Its mean is MRR.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Trec:   recip_rank, recip_rank_$k
-- Also:   mrr, mrr@$k
-- Source: trec_eval 10.0, m_recip_rank.c.
-- Edges:  no relevant item in the top k: 0. Summed exactly, as whole numbers of 2^-80.
SELECT
  model AS model,
  query AS query,
  CAST(
    sum(
      CAST(
        CASE
          WHEN rank BETWEEN 1 AND coalesce($k, rank) THEN CAST(is_first AS DOUBLE) / CAST(rank AS DOUBLE)
          ELSE 0
        END * power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS DECIMAL(38, 0)
      )
    ) AS DOUBLE
  )
  / power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS rr
FROM judged
GROUP BY model, query
