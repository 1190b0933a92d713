-- The mean over a query's relevant items of the precision at its rank; 0 for one outside the top k.
-- Its mean is MAP.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list, whose length n it then is. $over, what the sum is divided by: the
--         relevant items R, min(k, R) (capped), k, or the relevant items found (hits).
-- Option: $over = relevant in {relevant, capped, k, hits}
-- Depth:  $k
-- Ties:   expected, but over = hits
-- Trec:   map, map_cut_$k, gm_map (mean=geometric)
-- Also:   map@$k
-- Source: trec_eval 10.0, m_map.c; m_map_cut.c with a cutoff; over = capped: Kaggle and RePlay; hits: torchmetrics.
-- Edges:  nothing relevant: NULL. It divides by R also where k is smaller. Summed exactly, as whole numbers of 2^-80.
SELECT
  model,
  query,
  exact_sum(CASE WHEN in_top(rank, $k) THEN CAST(relevant_hits AS DOUBLE) / CAST(rank AS DOUBLE) ELSE 0 END)
  / nullif(
    CAST(
      CASE
        WHEN $over = 'hits' THEN hits_in_top(hits, rank, $k)
        WHEN $over = 'k' OR ($over = 'capped' AND max(relevant) > coalesce($k, max(retrieved)))
          THEN coalesce($k, max(retrieved))
        ELSE max(relevant)
      END AS DOUBLE
    ),
    0
  ) AS ap
FROM judged
GROUP BY model, query
