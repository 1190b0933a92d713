-- The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with
-- probability (2^g - 1) / 2^max_grade.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $max_grade, the highest possible relevance.
-- Option: $max_grade = 4 in [1, 39]
-- Depth:  $k
-- Range:  0 to 1
-- Source: Chapelle et al., Expected Reciprocal Rank for Graded Relevance, CIKM 2009; TREC's gdeval.pl with max_grade 4.
-- Edges:  an item of relevance below 0 satisfies nobody. The check `grades` refuses relevance above max_grade. A FLOAT
--         column holds 4.3 as 4.3000002, which is not above 4.3. Summed
--         exactly, like the logarithms of the product.
SELECT
  model,
  query,
  exact_sum(satisfied_here) AS err
FROM (
  SELECT
    model,
    query,
    CASE
      WHEN in_top(rank, $k)
        THEN
          satisfies / CAST(rank AS DOUBLE)
          * exp(
            from_units(
              sum(as_units(ln(1 - satisfies))) OVER (
                PARTITION BY model, query
                ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
              )
            )
          )
          / (1 - satisfies)
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      model,
      query,
      rank,
      CASE
        WHEN relevance > 0 AND relevance <= $max_grade * CAST(1.0000001 AS DOUBLE)
          THEN
            (power_of_2(relevance) - 1)
            / power_of_2($max_grade)
        ELSE 0
      END AS satisfies
    FROM judged
  ) AS readers
) AS discounted
GROUP BY model, query
