-- Average precision: the mean, over a query's relevant items, of the precision at each item's rank; a relevant item
-- outside the top k counts as 0. The mean over queries is MAP.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, with k its length. $over, what the sum is divided by: the relevant
--         items R, min(k, R) (capped), k, or the relevant items found (hits).
-- Option: $over = relevant in {relevant, capped, k, hits}
-- Depth:  $k
-- Ties:   expected, but over = hits
-- Trec:   map, map_cut_$k, gm_map (mean=geometric)
-- Also:   map@$k
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_map.c; m_map_cut.c with a cutoff; over = capped: Kaggle and RePlay; hits: torchmetrics.
-- Edges:  no relevant item: NULL. Unless over says otherwise, the divisor is R even if k is smaller. Summed exactly.
SELECT
  model,
  query,
  exact_sum(CASE WHEN in_top(rank, $k) THEN CAST(relevant_hits AS DOUBLE) / CAST(rank AS DOUBLE) ELSE 0 END)
  / nullif(
    CAST(
      CASE
        WHEN $over = 'hits' THEN hits_in_top(is_relevant, rank, $k)
        WHEN $over = 'k' OR ($over = 'capped' AND relevant_items(is_relevant) > coalesce($k, max(retrieved)))
          THEN coalesce($k, max(retrieved))
        ELSE relevant_items(is_relevant)
      END AS DOUBLE
    ),
    0
  ) AS ap
FROM judged
GROUP BY model, query
