-- The share of the top k that is relevant: h_k / k, or over min(k, n) of n retrieved where precision = retrieved.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, which is divided by its length. $precision, the denominator.
-- Source: trec_eval 10.0, m_P.c; set precision, m_set_P.c, without a cutoff.
-- Edges:  fewer than k retrieved still divides by k, unless precision = retrieved. Nothing to divide by: NULL.
SELECT
  model AS model,
  query AS query,
  CAST(sum(CASE WHEN rank BETWEEN 1 AND coalesce($k, rank) THEN is_relevant ELSE 0 END) AS DOUBLE)
  / nullif(
    CAST(
      CASE
        WHEN $precision = 'retrieved' AND max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved)
        ELSE coalesce($k, max(retrieved))
      END AS DOUBLE
    ),
    0
  ) AS precision
FROM judged
GROUP BY model, query
