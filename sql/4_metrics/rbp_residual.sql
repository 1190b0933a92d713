-- How much higher rank-biased precision could be if all unjudged items were relevant, and all items after the list too.
--
-- Grain:  one row per (model, query).
-- Params: $p, the probability of continuing.
-- Option: $p = 0.9 in (0, 1)
-- Better: lower
-- Trec:   rbp_resid
-- Source: Moffat and Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, TOIS 27(1), 2008;
--         trec_eval 10.0, m_rbp_resid.c: p^n plus (1 - p) times the sum of p^(rank - 1) over unjudged items, which is 1
--         minus the same sum over judged items.
-- Edges:  as in trec_eval, 0 if all items of the list are judged. Relevance below 0 means not judged. With
--         ranks = given, a rank without an item counts like an unjudged item. Summed exactly.
SELECT
  model,
  query,
  CASE
    WHEN max(retrieved) > sum(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
      THEN
        1 - (1 - $p)
        * exact_sum(CASE WHEN rank >= 1 AND relevance >= 0 THEN power($p, CAST(rank - 1 AS DOUBLE)) ELSE 0 END)
    ELSE CAST(0 AS DOUBLE)
  END AS rbp_residual
FROM judged
GROUP BY model, query
