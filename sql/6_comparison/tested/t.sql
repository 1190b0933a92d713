-- Student's paired t-test, two-sided.
--
-- Grain:  the rows and columns of bounded, and p.
-- Params: none.
-- Source: Student, The Probable Error of a Mean, 1908; recommended for retrieval by Urbano, Lima and Hanjalic, SIGIR
--         2019.
-- Edges:  p is NULL for fewer than two pairs, and where all differences are equal.
SELECT
  * EXCLUDE (statistic, df, log_ratio),
  CASE WHEN sd > 0 THEN student_tail(statistic, df, log_ratio) END AS p
FROM (
  SELECT
    *,
    ln_of_1_and(statistic * statistic / df) AS log_ratio
  FROM (
    SELECT
      *,
      abs(delta) / (nullif(sd, 0) / sqrt(queries)) AS statistic,
      CAST(queries - 1 AS DOUBLE) AS df
    FROM bounded
  ) AS scaled
) AS with_ratios
