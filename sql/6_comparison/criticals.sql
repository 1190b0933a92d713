-- Student's critical value: the t between whose negative and itself the given share of the distribution lies.
--
-- Grain:  one row per number of degrees of freedom.
-- Params: $confidence, the share, as in 0.95.
-- Source: Newton's method from 0. The area is concave above 0, so each step goes up, and never past the solution, until
--         rounding ends it.
WITH RECURSIVE steps AS (
  SELECT
    CAST(queries - 1 AS DOUBLE) AS df,
    CAST(0 AS DOUBLE) AS t
  FROM differences
  WHERE queries > 1
  GROUP BY queries
  UNION ALL
  SELECT
    df,
    t_next AS t
  FROM (
    SELECT
      df,
      t,
      t + ($confidence - student_area(t, df, log_ratio)) / (2 * student_density(t, df, log_ratio)) AS t_next
    FROM (
      SELECT
        df,
        t,
        ln_of_1_and(t * t / df) AS log_ratio
      FROM steps
    ) AS with_ratios
  ) AS next_steps
  WHERE t_next > t
)

SELECT
  df,
  max(t) AS critical
FROM steps
GROUP BY df
