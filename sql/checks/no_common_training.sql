-- A training relation that shares no item with the run.
--
-- Grain:  one row if they share none.
-- When:   training = given; empty = error
-- Rule:   training and the run have no item in common
-- Do:     Compare the item ids of the two. Without a common item, metrics that read training are meaningless.
SELECT count(*) AS found
FROM (SELECT item FROM run INNER JOIN training USING (item) LIMIT 1) AS common
HAVING count(*) = 0
