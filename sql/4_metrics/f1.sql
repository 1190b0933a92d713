-- The harmonic mean of a query's precision and recall at k: 2 h_k / (k + R).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $over, the denominator of the precision.
-- Option: $over = $precision in {k, retrieved}
-- Depth:  $k
-- Ties:   expected
-- Trec:   set_F
-- Range:  0 to 1
-- Source: van Rijsbergen, Information Retrieval (1979), ch. 7; set F, trec_eval 10.0, m_set_F.c, without a cutoff.
-- Edges:  no relevant item in the top k: 0. It is computed per query, not from the means of precision and recall.
SELECT
  model,
  query,
  2 * CAST(hits_in_top(is_relevant, rank, $k) AS DOUBLE)
  / nullif(
    CAST(
      relevant_items(is_relevant)
      + CASE
        WHEN $over = 'retrieved' AND max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved)
        ELSE coalesce($k, max(retrieved))
      END AS DOUBLE
    ),
    0
  ) AS f1
FROM judged
GROUP BY model, query
