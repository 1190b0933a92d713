-- Precision at a multiple of R, where R is the number of relevant items.
--
-- Grain:  one row per (model, query).
-- Params: $multiple: the cutoff is R times this, rounded down after adding 0.9.
-- Option: $multiple = 1 in [0.1, 1000]
-- Ties:   expected
-- Trec:   Rprec_mult_$multiple:.2f
-- Source: trec_eval 10.0, m_Rprec_mult.c.
-- Edges:  no relevant item: NULL. Fewer items retrieved than the cutoff: still divided by it.
SELECT
  model,
  query,
  ratio(
    hits_in_top(is_relevant, rank, floor($multiple * CAST(relevant AS DOUBLE) + 0.9)),
    floor($multiple * CAST(relevant_items(is_relevant) AS DOUBLE) + 0.9)
  ) AS r_precision_mult
FROM judged
GROUP BY model, query
