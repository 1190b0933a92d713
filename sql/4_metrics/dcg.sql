-- The total gain of the top k, discounted by rank: the sum of gain / log2(rank + 1).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $base, the base of the logarithm.
-- Option: $base = 2 in (1, 100]
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
    exact_sum(CASE WHEN in_top(rank, $k) THEN discounted(scaled(gain, top_gain), rank, $base) ELSE 0 END),
    max(top_gain)
  ) AS dcg
FROM judged
GROUP BY model, query
