-- The precision of the whole list times its recall: h_n / n · h_n / R.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Trec:   set_map
-- Also:   SetAP
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_set_map.c.
-- Edges:  no relevant item, or nothing retrieved: NULL.
SELECT
  model,
  query,
  CAST(hits_in_list(is_relevant, rank) AS DOUBLE)
  / nullif(CAST(max(retrieved) AS DOUBLE), 0)
  * CAST(hits_in_list(is_relevant, rank) AS DOUBLE)
  / nullif(CAST(relevant_items(is_relevant) AS DOUBLE), 0) AS set_ap
FROM judged
GROUP BY model, query
