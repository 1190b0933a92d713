-- Precision at rank R, where R is the number of relevant items: h_R / R.
--
-- Grain:  one row per (model, query).
-- Params: none; the cutoff is the query's own R.
-- Ties:   expected
-- Trec:   Rprec
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_Rprec.c.
-- Edges:  no relevant item: NULL. Fewer than R retrieved: still divided by R.
SELECT
  model,
  query,
  ratio(hits_in_top(is_relevant, rank, relevant), relevant_items(is_relevant)) AS r_precision
FROM judged
GROUP BY model, query
