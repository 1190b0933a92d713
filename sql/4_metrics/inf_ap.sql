-- Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's
-- rank is estimated from the judged items above it.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Trec:   infAP
-- Source: Yilmaz and Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM 2006; trec_eval
--         10.0, m_infap.c, with its epsilon of 0.00001.
-- Edges:  no relevant item: NULL. Relevance below 0 means pooled, but not in the judged sample. Summed exactly.
SELECT
  model,
  query,
  exact_sum(
    CASE
      WHEN is_relevant = 0 OR rank IS NULL THEN 0
      WHEN rank = 1 THEN 1
      ELSE
        1 / CAST(rank AS DOUBLE)
        + CAST(pooled_above AS DOUBLE) / CAST(rank AS DOUBLE)
        * (CAST(hits - 1 AS DOUBLE) + CAST('0.00001' AS DOUBLE))
        / (CAST(judged_above AS DOUBLE) + 2 * CAST('0.00001' AS DOUBLE))
    END
  )
  / nullif(CAST(relevant_items(is_relevant) AS DOUBLE), 0) AS inf_ap
FROM (
  SELECT
    model,
    query,
    rank,
    is_relevant,
    relevant,
    hits,
    row_number() OVER (
      PARTITION BY model, query
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
    ) - 1 AS pooled_above,
    sum(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY model, query
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM judged
) AS sampled
GROUP BY model, query
