-- The share of a query's gain that is in its top k: recall in which an item counts as much as its gain, such as its
-- price.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Source: recall with weights of items: the sum of the gains in the top k divided by the sum of all gains.
-- Edges:  no judged item with a gain: NULL. With equal gains it is recall. The threshold does not affect linear gain.
--         Summed exactly.
SELECT
  model,
  query,
  exact_sum(CASE WHEN in_top(rank, $k) THEN scaled(gain, top_gain) ELSE 0 END)
  / nullif(exact_sum(CASE WHEN ideal_rank >= 1 THEN scaled(gain, top_gain) ELSE 0 END), 0) AS gain_recall
FROM judged
GROUP BY model, query
