-- Lists of items next to lists of numbers of another length.
--
-- Grain:  one row per such row of a run or qrels.
-- Reads:  ids, lists of items as id, and lists of numbers as number.
-- When:   source = parallel_lists
-- Rule:   the lists of columns {item} and {number} differ in length
-- Do:     Give each item its number, and each number its item.
SELECT
  id,
  number
FROM ids
WHERE len(id) IS DISTINCT FROM len(number)
