-- The share of a query's relevant items that are in its top k: h_k / R.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Slices: items
-- Trec:   recall_$k, set_recall
-- Also:   R@$k, SetR
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_recall.c; set recall, m_set_recall.c, without a cutoff.
-- Edges:  no relevant item: NULL. Fewer than k retrieved: the whole list counts.
SELECT
  model,
  query,
  ratio(hits_in_top(is_relevant, rank, $k), relevant_items(is_relevant)) AS recall
FROM judged
GROUP BY model, query
