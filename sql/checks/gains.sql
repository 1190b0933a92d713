-- Rows of the qrels whose relevance is too large to be the exponent of a gain.
--
-- Grain:  one row per such row of the qrels.
-- When:   gain = exponential
-- Rule:   {relevance} is 40 or more, and the gain of gain=exponential, 2 to its power, too large for an exact mean
-- Do:     Use the grades as they were given, such as 0 to 4, or leave gain=exponential out.
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE relevance >= 40
