-- The judgements, without a relevance that is too large, so that no sum overflows before the fault is found.
--
-- Grain:  one row per judgement.
-- Params: $largest_relevance, the bound of relevance for exact sums.
-- Plan:   replaces judgements for graded, with judged/one_pass, to which a NULL is a fault.
SELECT
  query,
  item,
  CASE WHEN relevance < $largest_relevance THEN relevance END AS relevance
FROM judgements
