-- The number of items retrieved that are judged as not relevant, summed over the queries.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Better: lower
-- Decides: no
-- Mean:   sum
-- Trec:   num_nonrel_judged_ret
-- Source: trec_eval 10.0, m_num_nonrel_judged_ret.c.
-- Edges:  relevance below 0 means not judged. A query missing from the run: 0.
SELECT
  model,
  query,
  CAST(sum(CASE WHEN rank >= 1 AND relevance >= 0 AND is_relevant = 0 THEN 1 ELSE 0 END) AS DOUBLE)
    AS num_nonrel_judged_ret
FROM judged
GROUP BY model, query
