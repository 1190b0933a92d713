-- The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1.
--
-- Grain:  one row per (model, query).
-- Params: $semantics, how a recall level is rounded to a number of relevant items, as in iprec.
-- Trec:   11pt_avg
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_11pt_avg.c.
-- Edges:  a recall level that is not reached counts as 0. Summed exactly.
SELECT
  model,
  query,
  exact_sum(precision_at) / 11 AS eleven_point
FROM (
  SELECT
    model,
    query,
    tenths,
    max(
      CASE
        WHEN
          is_relevant = 1 AND rank >= 1
          AND hits >= floor(
            CAST(tenths AS DOUBLE) / 10 * CAST(relevant AS DOUBLE)
            + CASE WHEN $semantics = 'trec_eval_9' THEN CAST('0.9' AS DOUBLE) ELSE CAST('0.5' AS DOUBLE) END
          )
          THEN CAST(hits AS DOUBLE) / CAST(rank AS DOUBLE)
        ELSE 0
      END
    ) AS precision_at
  FROM judged
  CROSS JOIN (
    SELECT 0 AS tenths
    UNION ALL
    SELECT 1 AS tenths
    UNION ALL
    SELECT 2 AS tenths
    UNION ALL
    SELECT 3 AS tenths
    UNION ALL
    SELECT 4 AS tenths
    UNION ALL
    SELECT 5 AS tenths
    UNION ALL
    SELECT 6 AS tenths
    UNION ALL
    SELECT 7 AS tenths
    UNION ALL
    SELECT 8 AS tenths
    UNION ALL
    SELECT 9 AS tenths
    UNION ALL
    SELECT 10 AS tenths
  ) AS levels
  GROUP BY model, query, tenths
) AS curve
GROUP BY model, query
