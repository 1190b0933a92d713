-- DCG divided by the DCG of the ideal order of all the query's judged items: 1 is a perfect order.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $base, the base of the logarithm. It cancels in the quotient, unless
--         $discount = lenskit divides by max(log(rank), 1) instead of log(rank + 1).
-- Option: $base = 2 in (1, 100]
-- Option: $discount = trec_eval in {trec_eval, lenskit}
-- Depth:  $k
-- Ties:   expected
-- Trec:   ndcg, ndcg_cut_$k
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_ndcg.c; m_ndcg_cut.c with a cutoff; gain = exponential: Burges et al., ICML 2005;
--         discount = lenskit: Järvelin and Kekäläinen, TOIS 20(4), 2002, as in LensKit and LongMemEval.
-- Edges:  no judged item with a gain: NULL. The ideal order includes all judged items, retrieved or not; the
--         threshold does not affect linear gain. Summed exactly.
SELECT
  model,
  query,
  exact_sum(
    CASE
      WHEN in_top(rank, $k)
        THEN discounted(scaled(gain, top_gain), discount_place(rank, $base, $discount), $base)
      ELSE 0
    END
  )
  / nullif(
    exact_sum(
      CASE
        WHEN in_top(ideal_rank, $k)
          THEN discounted(scaled(gain, top_gain), discount_place(ideal_rank, $base, $discount), $base)
        ELSE 0
      END
    ),
    0
  ) AS ndcg
FROM judged
GROUP BY model, query
