-- Rows of the qrels whose relevance is too large for gain=exponential.
--
-- Grain:  one row per such row of the qrels.
-- When:   gain = exponential
-- Seen:   lists, one_pass
-- Rule:   {relevance} is 40 or more, so its gain of 2^relevance - 1 (gain=exponential) is too large for an exact mean
-- Do:     Use the original grades, such as 0 to 4, or leave out gain=exponential.
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE relevance >= 40
