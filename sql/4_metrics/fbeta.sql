-- The weighted harmonic mean of a query's precision and recall at k, with recall weighted beta times as much:
-- (1 + b²) h_k / (k + b² R), where b is beta.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $beta, the weight of recall relative to precision. $over, the
--         denominator of the precision.
-- Option: $beta = 1 in (0, 1000]
-- Option: $over = $precision in {k, retrieved}
-- Depth:  $k
-- Ties:   expected
-- Trec:   set_F, set_F_$x (beta=sqrt($x))
-- Also:   SetF (beta=sqrt($beta)), SetF
-- Range:  0 to 1
-- Source: van Rijsbergen, Information Retrieval (1979), ch. 7: (1 + b²) P R / (b² P + R). trec_eval 10.0, m_set_F.c,
--         and ir-measures, without a cutoff: (1 + x) P R / (x P + R), so x is beta squared.
-- Edges:  no relevant item in the top k: 0. It is computed per query, not from the means of precision and recall.
SELECT
  model,
  query,
  (1 + $beta * $beta) * CAST(hits_in_top(is_relevant, rank, $k) AS DOUBLE)
  / nullif(
    $beta * $beta * CAST(relevant_items(is_relevant) AS DOUBLE)
    + CAST(
      CASE
        WHEN $over = 'retrieved' AND max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved)
        ELSE coalesce($k, max(retrieved))
      END AS DOUBLE
    ),
    0
  ) AS fbeta
FROM judged
GROUP BY model, query
