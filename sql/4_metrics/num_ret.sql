-- The number of items retrieved, n, summed over the queries.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Decides: no
-- Mean:   sum
-- Ties:   expected
-- Trec:   num_ret
-- Also:   NumRet
-- Source: trec_eval 10.0, m_num_ret.c.
-- Edges:  a query missing from the run: 0.
SELECT
  model,
  query,
  CAST(max(retrieved) AS DOUBLE) AS num_ret
FROM judged
GROUP BY model, query
