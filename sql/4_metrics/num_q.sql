-- The number of queries.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Decides: no
-- Mean:   sum
-- Ties:   expected
-- Trec:   num_q
-- Also:   NumQ
-- Source: trec_eval 10.0, m_num_q.c.
-- Edges:  a query that a policy leaves out is not counted.
SELECT
  model,
  query,
  CAST(1 AS DOUBLE) AS num_q
FROM judged
GROUP BY model, query
