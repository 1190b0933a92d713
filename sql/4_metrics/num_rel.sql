-- The number of relevant items, R, summed over the queries.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Decides: no
-- Mean:   sum
-- Ties:   expected
-- Slices: items
-- Trec:   num_rel
-- Also:   NumRel
-- Source: trec_eval 10.0, m_num_rel.c.
-- Edges:  no relevant item: 0.
SELECT
  model,
  query,
  CAST(relevant_items(is_relevant) AS DOUBLE) AS num_rel
FROM judged
GROUP BY model, query
