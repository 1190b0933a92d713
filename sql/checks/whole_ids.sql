-- Ids in an untyped file (CSV) that are not whole numbers, if the other source has whole numbers.
--
-- Grain:  one row per such id.
-- Reads:  ids, a column as text, and as number cast to a whole number, which rounds what is none.
-- When:   source = csv
-- Order:  2
-- Rule:   the ids of the other source are whole numbers, but column {column} holds other values
-- Do:     Correct the values. If they are ids that run and qrels write in the same way, pass ids='text' instead.
SELECT id
FROM ids
WHERE
  id IS NOT NULL
  AND NOT (number IS NOT NULL AND regexp_full_match(id, '\s*[+-]?[0-9]+\s*'))
