-- The exact interval of a mean of zeros and ones, and Student's interval of other means.
--
-- Grain:  the rows and columns of differences, and low and high.
-- Params: none.
-- Source: Clopper and Pearson, Biometrika 26(4), 1934; Student, The Probable Error of a Mean, 1908.
-- Edges:  low and high are NULL for fewer than two queries. The highest share of ones is 1 minus the lowest of zeros.
SELECT
  differences.*,
  CASE WHEN is_binary THEN least_share ELSE delta - critical * sd / sqrt(queries) END AS low,
  CASE WHEN is_binary THEN 1 - least_share_of_zeros ELSE delta + critical * sd / sqrt(queries) END AS high
FROM differences
LEFT JOIN criticals ON df = queries - 1
LEFT JOIN (
  SELECT
    successes AS ones,
    trials AS trials_of_ones,
    least_share
  FROM least_shares
) AS of_ones
  ON trials_of_ones = queries AND ones = round(delta * queries)
LEFT JOIN (
  SELECT
    successes AS zeros,
    trials AS trials_of_zeros,
    least_share AS least_share_of_zeros
  FROM least_shares
) AS of_zeros
  ON trials_of_zeros = queries AND zeros = queries - round(delta * queries)
