-- An items relation that shares no item with the qrels.
--
-- Grain:  one row if they share none.
-- When:   items = given; empty = error
-- Rule:   items and the qrels have no item in common
-- Do:     Compare the item ids of the two. Without a common item, nothing is left to evaluate.
SELECT count(*) AS found
FROM (SELECT query FROM judgements LIMIT 1) AS first_row
HAVING count(*) = 0
