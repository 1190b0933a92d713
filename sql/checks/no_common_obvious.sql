-- An obvious relation that shares no item with the run.
--
-- Grain:  one row if they share none.
-- When:   obvious = given; empty = error
-- Rule:   obvious and the run have no item in common
-- Do:     Compare the item ids of the two. Without a common item, unexpectedness is 1 everywhere.
SELECT count(*) AS found
FROM (SELECT item FROM run INNER JOIN obvious USING (item) LIMIT 1) AS common
HAVING count(*) = 0
