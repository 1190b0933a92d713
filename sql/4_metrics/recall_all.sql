-- 1 if all relevant items of a query are in its top k, otherwise 0.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Slices: items
-- Also:   recall_all@$k, all_recall, all_recall@$k
-- Range:  0 to 1
-- Source: Wu et al., LongMemEval, ICLR 2025, recall_all; All-Recall@k of multi-hop questions.
-- Edges:  no relevant item: NULL. More relevant items than k: 0.
SELECT
  model,
  query,
  CASE
    WHEN relevant_items(is_relevant) > 0
      THEN CAST(CASE WHEN hits_in_top(is_relevant, rank, $k) = relevant_items(is_relevant) THEN 1 ELSE 0 END AS DOUBLE)
  END AS recall_all
FROM judged
GROUP BY model, query
