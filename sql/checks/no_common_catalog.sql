-- A catalog that shares no item with the run.
--
-- Grain:  one row if they share none.
-- When:   catalog = given; empty = error
-- Rule:   catalog and the run have no item in common
-- Do:     Compare the item ids of the two. Without a common item, metrics that read catalog are meaningless.
SELECT count(*) AS found
FROM (SELECT item FROM run INNER JOIN catalog USING (item) LIMIT 1) AS common
HAVING count(*) = 0
