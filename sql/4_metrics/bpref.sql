-- How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of
-- 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank
-- above the relevant item. A relevant item that is not retrieved counts as 0.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Trec:   bpref, gm_bpref (mean=geometric)
-- Range:  0 to 1
-- Source: Buckley and Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004; trec_eval 10.0,
--         m_bpref.c.
-- Edges:  no relevant item: NULL. A relevant item with none above it counts as 1. Relevance below 0 means not judged.
--         Summed exactly.
SELECT
  model,
  query,
  exact_sum(
    CASE
      WHEN is_relevant = 0 OR rank IS NULL THEN 0
      WHEN above = 0 THEN 1
      ELSE
        1
        - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS DOUBLE)
        / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS DOUBLE)
    END
  )
  / nullif(CAST(relevant_items(is_relevant) AS DOUBLE), 0) AS bpref
FROM (
  SELECT
    model,
    query,
    rank,
    is_relevant,
    relevant,
    sum(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY model, query
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    sum(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY model, query) AS non_relevant
  FROM judged
) AS compared
GROUP BY model, query
