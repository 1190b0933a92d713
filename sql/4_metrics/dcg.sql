-- The total gain of the top k, discounted by rank: the sum of gain / log2(rank + 1).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $base, the base of the logarithm. $discount,
--         lenskit to divide by max(log(rank), 1) instead of log(rank + 1).
-- Option: $base = 2 in (1, 100]
-- Option: $discount = trec_eval in {trec_eval, lenskit}
-- Depth:  $k
-- Ties:   expected
-- Slices: items
-- Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; linear gain, discount from the first rank, as in trec_eval 10.0;
--         gain = exponential: Burges et al., ICML 2005.
-- Edges:  relevance below 0 has gain 0; the threshold does not affect linear gain. Summed exactly.
SELECT
  model,
  query,
  unscaled(
    exact_sum(
      CASE
        WHEN in_top(rank, $k)
          THEN discounted(scaled(gain, top_gain), discount_place(rank, $base, $discount), $base)
        ELSE 0
      END
    ),
    max(top_gain)
  ) AS dcg
FROM judged
GROUP BY model, query
