-- The gain of the top k, each item's discounted by its rank: the sum of gain / log2(rank + 1).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Ties:   expected
-- Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; linear gain, discount from the first rank, as in trec_eval 10.0;
--         gain = exponential: Burges et al., ICML 2005.
-- Edges:  relevance below 0 gains 0; the threshold plays no part in linear gain. Summed exactly, as whole numbers of
--         2^-80 of the query's top gain.
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
  / power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) * max(top_gain) AS dcg
FROM judged
GROUP BY model, query
