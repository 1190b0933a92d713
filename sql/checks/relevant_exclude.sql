-- An exclude relation that holds nearly all relevant items, as if it were the qrels.
--
-- Grain:  one row if it holds 95 % of five or more relevant items.
-- When:   source = note
-- Rule:   exclude holds nearly all relevant items
-- Do:     Pass what users had seen before, not the qrels.
SELECT
  count(*) AS relevant,
  count(is_excluded) AS excluded
FROM graded
LEFT JOIN excluded USING (query, item)
WHERE is_relevant = 1
HAVING count(*) >= 5 AND 100 * count(is_excluded) >= 95 * count(*)
