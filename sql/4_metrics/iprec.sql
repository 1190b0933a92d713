-- Interpolated precision at a recall level: the highest precision at any rank whose recall is at least that level.
--
-- Grain:  one row per (model, query).
-- Params: $recall, the recall level; $semantics, how it is rounded to a number of relevant items.
-- Option: $recall = 0 in [0, 1]
-- Trec:   iprec_at_recall_$recall:.2f
-- Also:   IPrec@$recall
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_iprec_at_recall.c: recall x is reached at floor(x R + 0.5) relevant items; in
--         trec_eval 9, at floor(x R + 0.9).
-- Edges:  a recall level that is not reached: 0.
SELECT
  model,
  query,
  max(
    CASE
      WHEN
        is_relevant = 1 AND rank >= 1
        AND hits >= floor(
          $recall * CAST(relevant AS DOUBLE)
          + CASE WHEN $semantics = 'trec_eval_9' THEN CAST('0.9' AS DOUBLE) ELSE CAST('0.5' AS DOUBLE) END
        )
        THEN CAST(hits AS DOUBLE) / CAST(rank AS DOUBLE)
      ELSE 0
    END
  ) AS iprec
FROM judged
GROUP BY model, query
