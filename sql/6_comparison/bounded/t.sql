-- Student's interval of the mean difference.
--
-- Grain:  the rows and columns of differences, and low and high.
-- Params: none.
-- Source: Student, The Probable Error of a Mean, 1908.
-- Edges:  low and high are NULL for fewer than two pairs, and both delta where all differences are equal.
SELECT
  differences.*,
  delta - critical * sd / sqrt(queries) AS low,
  delta + critical * sd / sqrt(queries) AS high
FROM differences
LEFT JOIN criticals ON df = queries - 1
