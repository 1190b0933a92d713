-- Rank-biased precision, what a reader finds who goes on to the next rank with probability p: (1 - p) sum of p^(rank -
-- 1) over the relevant items.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $p, the probability of going on.
-- Option: $p = 0.9 in (0, 1)
-- Depth:  $k
-- Ties:   expected
-- Trec:   rbp
-- Also:   RBP (p=0.8), RBP@$k (p=0.8)
-- Source: Moffat and Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, TOIS 27(1), 2008; p = 0.9
--         as in trec_eval 10.0, m_rbp.c, which knows no threshold; 0.8 in ir-measures.
-- Edges:  relevance is binary, by the threshold. Nothing relevant: 0. Summed exactly, as whole numbers of 2^-80.
SELECT
  model,
  query,
  (1 - $p) * CAST(
    sum(
      CAST(
        CASE
          WHEN in_top(rank, $k)
            THEN CAST(is_relevant AS DOUBLE) * power($p, CAST(rank - 1 AS DOUBLE))
          ELSE 0
        END * power_of_2(80) AS DECIMAL(38, 0)
      )
    ) AS DOUBLE
  )
  / power_of_2(80) AS rbp
FROM judged
GROUP BY model, query
