-- DCG divided by the DCG of the ideal order of all the query's judged items: 1 is a perfect order.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $base, the base of the logarithm. It cancels in the quotient.
-- Option: $base = 2 in (1, 100]
-- Depth:  $k
-- Ties:   expected
-- Trec:   ndcg, ndcg_cut_$k
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_ndcg.c; m_ndcg_cut.c with a cutoff; gain = exponential: Burges et al., ICML 2005.
-- Edges:  no judged item with a gain: NULL. The ideal order includes all judged items, retrieved or not; the
--         threshold does not affect linear gain. Summed exactly.
SELECT
  model,
  query,
  exact_sum(CASE WHEN in_top(rank, $k) THEN discounted(scaled(gain, top_gain), rank, $base) ELSE 0 END)
  / nullif(
    exact_sum(
      CASE WHEN in_top(ideal_rank, $k) THEN discounted(scaled(gain, top_gain), ideal_rank, $base) ELSE 0 END
    ),
    0
  ) AS ndcg
FROM judged
GROUP BY model, query
