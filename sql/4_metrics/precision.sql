-- The share of the top k that is relevant: h_k / k, or over min(k, n) of n retrieved where over = retrieved.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, which is divided by its length. $over, the denominator, by default
--         what the policy precision says.
-- Option: $over = $precision in {k, retrieved}
-- Depth:  $k
-- Ties:   expected
-- Trec:   P_$k, set_P
-- Also:   P@$k, SetP
-- Source: trec_eval 10.0, m_P.c; set precision, m_set_P.c, without a cutoff; torchmetrics' adaptive_k: over =
--         retrieved.
-- Edges:  fewer than k retrieved still divides by k, unless over = retrieved. Nothing to divide by: NULL.
SELECT
  model,
  query,
  ratio(
    hits_in_top(hits, rank, $k),
    CASE
      WHEN $over = 'retrieved' AND max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved)
      ELSE coalesce($k, max(retrieved))
    END
  ) AS precision
FROM judged
GROUP BY model, query
