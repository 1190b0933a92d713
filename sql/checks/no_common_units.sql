-- An item_map that holds no item of the run or of the qrels.
--
-- Grain:  one row if it holds none.
-- When:   item_map = given; empty = error
-- Rule:   item_map holds no item of the run or the qrels
-- Do:     Compare the item ids of the three. Without a common item, no item has a unit.
SELECT count(*) AS found
FROM (
  SELECT item
  FROM (
    SELECT item
    FROM run_rows
    UNION ALL
    SELECT item
    FROM qrels_rows
  ) AS items_of_both
  INNER JOIN item_map USING (item)
  LIMIT 1
) AS common
HAVING count(*) = 0
