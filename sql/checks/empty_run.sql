-- A run without rows.
--
-- Grain:  one row if the run is empty.
-- When:   empty = error
-- Seen:   lists, one_pass
-- Order:  1
-- Rule:   the run has no rows
-- Do:     Check the path or SQL of the run, and whether nulls='drop' removes all its rows.
SELECT count(*) AS found
FROM (SELECT item FROM run LIMIT 1) AS first_row
HAVING count(*) = 0
