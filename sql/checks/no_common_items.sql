-- An items relation that shares no item with the run.
--
-- Grain:  one row if they share none.
-- When:   items = given; empty = error
-- Rule:   items and the run have no item in common
-- Do:     Compare the item ids of the two. Without a common item, nothing is left to evaluate.
SELECT count(*) AS found
FROM (SELECT item FROM run INNER JOIN items USING (item) LIMIT 1) AS common
HAVING count(*) = 0
