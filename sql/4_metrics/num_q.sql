-- How many queries there are.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Mean:   sum
-- Ties:   expected
-- Trec:   num_q
-- Also:   NumQ
-- Source: trec_eval 10.0, m_num_q.c.
-- Edges:  a query that the policies leave out is not counted.
SELECT
  model,
  query,
  CAST(1 AS DOUBLE) AS num_q
FROM judged
GROUP BY model, query
