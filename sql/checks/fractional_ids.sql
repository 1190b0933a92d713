-- Ids that are not whole numbers, if the other source has whole numbers.
--
-- Grain:  one row per such id.
-- Reads:  ids, a column of floating-point numbers, and cast to DOUBLE.
-- When:   source = float
-- Order:  2
-- Rule:   the ids of the other source are whole numbers, but column {column} holds other values
-- Do:     Correct the values. If run and qrels write these ids in the same way, pass ids='text'.
SELECT id
FROM ids
WHERE NOT isnan(number) AND number <> floor(number)
