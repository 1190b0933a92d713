-- Numbers in the objects of items that would all be relevant, although some numbers are 0.
--
-- Grain:  one row per row of the qrels that holds 0.
-- Reads:  ids, lists of items as id, and lists of the numbers in the same objects as number.
-- When:   source = parallel_lists
-- Rule:   every item of {item} would be relevant, but {number} in the same objects is 0 for some
-- Do:     If it is the relevance, pass {graded}. If every item is relevant, pass {ungraded}.
SELECT
  id,
  number
FROM ids
WHERE list_contains(CAST(number AS DOUBLE[]), 0)
