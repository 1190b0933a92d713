-- Ids of a file without types (CSV) that are no whole numbers, where the other source has whole numbers.
--
-- Grain:  one row per such id.
-- Reads:  ids, a column as text and cast to a whole number, which rounds what is none.
-- When:   source = csv
-- Order:  2
-- Rule:   the other source has whole numbers in its place, but column {column} holds other values
-- Do:     Mend the values, or cast the column of the other source to text.
SELECT id
FROM ids
WHERE
  id IS NOT NULL
  AND NOT (whole IS NOT NULL AND regexp_full_match(id, '\s*[+-]?[0-9]+\s*'))
