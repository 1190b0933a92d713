-- The sign test: are wins and losses equally likely? Two-sided.
--
-- Grain:  the rows and columns of bounded, and p.
-- Params: none.
-- Source: the exact binomial test with probability 1/2. Ties are left out.
-- Edges:  p is NULL without pairs, and 1 where all pairs are ties. The sum over fewer wins or losses starts at its
--         largest term; terms beyond the fiftieth that are over twelve standard deviations away are left out.
SELECT
  * EXCLUDE (trials, fewer),
  CASE
    WHEN queries = 0 THEN CAST(NULL AS DOUBLE)
    WHEN trials = 0 THEN CAST(1 AS DOUBLE)
    ELSE
      least(
        2
        * exp(lgamma(trials + 1) - lgamma(fewer + 1) - lgamma(trials - fewer + 1) - trials * ln(CAST(2 AS DOUBLE)))
        * hypergeometric_sum(-fewer, trials - fewer + 1, -1, least(fewer, 50 + ceil(12 * sqrt(trials)))),
        1
      )
  END AS p
FROM (
  SELECT
    *,
    CAST(wins + losses AS DOUBLE) AS trials,
    CAST(least(wins, losses) AS DOUBLE) AS fewer
  FROM bounded
) AS counted
