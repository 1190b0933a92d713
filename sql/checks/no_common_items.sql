-- A relation items that holds none of the run's items.
--
-- Grain:  one row if it holds none.
-- When:   items = given
-- Rule:   items and the run have no item in common
-- Do:     Compare the ids in the two: nothing would be left to evaluate.
SELECT count(*) AS found
FROM (
  SELECT item
  FROM run
  INNER JOIN items USING (item)
  LIMIT 1
) AS common
HAVING count(*) = 0
