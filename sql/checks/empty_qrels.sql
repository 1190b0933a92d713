-- Qrels without rows.
--
-- Grain:  one row if the qrels are empty.
-- When:   empty = error
-- Seen:   lists, one_pass
-- Order:  1
-- Rule:   the qrels have no rows
-- Do:     Check the path or SQL of the qrels, and whether nulls='drop' removes all their rows.
SELECT count(*) AS found
FROM (SELECT item FROM qrels LIMIT 1) AS first_row
HAVING count(*) = 0
