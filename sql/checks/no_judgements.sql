-- Items that leave nothing of the qrels.
--
-- Grain:  one row if they leave nothing.
-- When:   items = given
-- Rule:   items and the qrels have no item in common
-- Do:     Compare the ids in the two: nothing would be left to evaluate.
SELECT count(*) AS found
FROM (SELECT query FROM judgements LIMIT 1) AS first_row
HAVING count(*) = 0
