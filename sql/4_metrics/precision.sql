-- The share of the top k that is relevant: h_k / k, or h_k / min(k, n) for n retrieved items with over = retrieved.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, with k its length. $over, the denominator; its default is the
--         policy `precision`.
-- Option: $over = $precision in {k, retrieved}
-- Depth:  $k
-- Ties:   expected
-- Trec:   P_$k, set_P
-- Also:   P@$k, SetP
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_P.c; set precision, m_set_P.c, without a cutoff; over = retrieved is torchmetrics'
--         adaptive_k.
-- Edges:  fewer than k retrieved: still divided by k, unless over = retrieved. With ranks = given, n is the number of
--         items in the list, whatever their ranks. A denominator of 0: NULL.
SELECT
  model,
  query,
  ratio(
    hits_in_top(is_relevant, rank, $k),
    CASE
      WHEN $over = 'retrieved' AND max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved)
      ELSE coalesce($k, max(retrieved))
    END
  ) AS precision
FROM judged
GROUP BY model, query
