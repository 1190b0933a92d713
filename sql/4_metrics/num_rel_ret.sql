-- The number of relevant items retrieved, h_n, summed over the queries.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Decides: no
-- Mean:   sum
-- Ties:   expected
-- Slices: items
-- Trec:   num_rel_ret
-- Also:   NumRelRet, NumRet (threshold=$threshold)
-- Source: trec_eval 10.0, m_num_rel_ret.c.
-- Edges:  a query missing from the run: 0.
SELECT
  model,
  query,
  CAST(hits_in_list(is_relevant, rank) AS DOUBLE) AS num_rel_ret
FROM judged
GROUP BY model, query
