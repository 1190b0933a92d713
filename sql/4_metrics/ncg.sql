-- The gain of the top k as a share of the most that a top k can hold: the gain of the first k of the ideal order.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Range:  0 to 1
-- Source: Järvelin and Kekäläinen, TOIS 20(4), 2002: the normalized cumulated gain, without a discount.
-- Edges:  no judged item with a gain: NULL. The ideal order includes all judged items, retrieved or not; the
--         threshold does not affect linear gain. Summed exactly.
SELECT
  model,
  query,
  exact_sum(CASE WHEN in_top(rank, $k) THEN scaled(gain, top_gain) ELSE 0 END)
  / nullif(exact_sum(CASE WHEN in_top(ideal_rank, $k) THEN scaled(gain, top_gain) ELSE 0 END), 0) AS ncg
FROM judged
GROUP BY model, query
