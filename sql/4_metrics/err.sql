-- Expected reciprocal rank of the item that satisfies a reader, an item of relevance g doing so with probability (2^g -
-- 1) / 2^max_grade.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $max_grade, the highest relevance there can be.
-- Option: $max_grade = 4 in [1, 39]
-- Depth:  $k
-- Source: Chapelle et al., Expected Reciprocal Rank for Graded Relevance, CIKM 2009; TREC's gdeval.pl with max_grade 4.
-- Edges:  relevance below 0 satisfies nobody; relevance above max_grade is refused by the check `grades`. Summed
--         exactly, as whole numbers of 2^-80, as are the logarithms of which the product is made.
SELECT
  model AS model,
  query AS query,
  CAST(sum(CAST(satisfied_here * power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS DECIMAL(38, 0))) AS DOUBLE)
  / power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS err
FROM (
  SELECT
    model AS model,
    query AS query,
    CASE
      WHEN rank BETWEEN 1 AND coalesce($k, rank)
        THEN
          satisfies / CAST(rank AS DOUBLE)
          * exp(
            CAST(
              sum(CAST(ln(1 - satisfies) * power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS DECIMAL(38, 0))) OVER (
                PARTITION BY model, query
                ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
              ) AS DOUBLE
            )
            / power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE))
          )
          / (1 - satisfies)
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      model AS model,
      query AS query,
      rank AS rank,
      CASE
        WHEN relevance > 0 AND relevance <= $max_grade
          THEN
            (power(CAST(2 AS DOUBLE), CAST(relevance AS DOUBLE)) - 1)
            / power(CAST(2 AS DOUBLE), CAST($max_grade AS DOUBLE))
        ELSE 0
      END AS satisfies
    FROM judged
  ) AS readers
) AS discounted
GROUP BY model, query
