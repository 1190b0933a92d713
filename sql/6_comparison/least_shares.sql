-- The lowest share of queries with the value 1 of which this many successes, or more, are not too rare a chance.
--
-- Grain:  one row per (successes, trials): the numbers of ones, and of zeros, of the rows of differences that have only
--         these two values, and the numbers of their queries.
-- Params: $confidence, as in 0.95: the chance is half of what it leaves.
-- Source: Clopper and Pearson, Biometrika 26(4), 1934. Newton's method on the binomial tail from the mode of its
--         density, on whose sides the tail is convex and concave: no step goes past the solution, until rounding ends
--         it.
-- Edges:  0 without a success; one success, and successes alone, have a closed form. The sum over more successes starts
--         at its largest term; terms beyond the fiftieth that are sixteen standard deviations away are left out.
WITH RECURSIVE cases AS (
  SELECT
    successes,
    trials
  FROM (
    SELECT
      round(delta * queries) AS successes,
      CAST(queries AS DOUBLE) AS trials
    FROM differences
    WHERE is_binary
    UNION ALL
    SELECT
      queries - round(delta * queries) AS successes,
      CAST(queries AS DOUBLE) AS trials
    FROM differences
    WHERE is_binary
  ) AS both_sides
  GROUP BY successes, trials
),

steps AS (
  SELECT
    successes,
    trials,
    (successes - 1) / (trials - 1) AS share,
    1 AS step_no
  FROM cases
  WHERE successes > 1 AND successes < trials
  UNION ALL
  SELECT
    successes,
    trials,
    share_next AS share,
    step_no + 1 AS step_no
  FROM (
    SELECT
      successes,
      trials,
      share,
      step_no,
      share - share / successes
      * (
        hypergeometric_sum(
          successes - trials,
          successes + 1,
          -share / (1 - share),
          least(trials - successes, 50 + ceil(8 * sqrt(trials)))
        )
        - (1 - $confidence) / 2
        * exp(
          lgamma(successes + 1)
          + lgamma(trials - successes + 1)
          - lgamma(trials + 1)
          - successes * ln(share)
          - (trials - successes) * ln(1 - share)
        )
      ) AS share_next
    FROM steps
  ) AS next_steps
  WHERE step_no < 100 AND abs(share_next - share) > 1e-15 * share
)

SELECT
  successes,
  trials,
  CASE successes
    WHEN 0 THEN 0
    WHEN trials THEN power((1 - $confidence) / 2, 1 / trials)
    WHEN 1 THEN 1 - power((1 + $confidence) / 2, 1 / trials)
    ELSE newton_share
  END AS least_share
FROM cases
LEFT JOIN (
  SELECT
    successes,
    trials,
    arg_max(share, step_no) AS newton_share
  FROM steps
  GROUP BY successes, trials
) AS solved USING (successes, trials)
