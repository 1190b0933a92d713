-- A relation features that holds none of the run's items.
--
-- Grain:  one row if it holds none.
-- When:   features = given
-- Rule:   features and the run have no item in common
-- Do:     Compare the ids in the two: the metrics that read it would say nothing.
SELECT count(*) AS found
FROM (
  SELECT item
  FROM run
  INNER JOIN features USING (item)
  LIMIT 1
) AS common
HAVING count(*) = 0
