-- DCG over the DCG of the ideal order of all the query's judged items: 1 is a perfect order.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Trec:   ndcg, ndcg_cut_$k
-- Source: trec_eval 10.0, m_ndcg.c; m_ndcg_cut.c with a cutoff; gain = exponential: Burges et al., ICML 2005.
-- Edges:  no gain anywhere: NULL. The ideal order is of all judged items, retrieved or not; the threshold plays no part
--         in linear gain. Summed exactly, as whole numbers of 2^-80 of the query's top gain.
SELECT
  model AS model,
  query AS query,
  CAST(
    sum(
      CAST(
        CASE
          WHEN gain > 0 AND rank BETWEEN 1 AND coalesce($k, rank)
            THEN gain / top_gain * ln(CAST(2 AS DOUBLE)) / ln(CAST(rank + 1 AS DOUBLE))
          ELSE 0
        END * power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS DECIMAL(38, 0)
      )
    ) AS DOUBLE
  )
  / nullif(
    CAST(
      sum(
        CAST(
          CASE
            WHEN gain > 0 AND ideal_rank BETWEEN 1 AND coalesce($k, ideal_rank)
              THEN gain / top_gain * ln(CAST(2 AS DOUBLE)) / ln(CAST(ideal_rank + 1 AS DOUBLE))
            ELSE 0
          END * power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS DECIMAL(38, 0)
        )
      ) AS DOUBLE
    ),
    0
  ) AS ndcg
FROM judged
GROUP BY model, query
