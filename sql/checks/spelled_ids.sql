-- Ids in a file of text that are written in another way than the numbers, dates or UUIDs of the other source.
--
-- Grain:  one row per such id.
-- Reads:  ids, a column as text, and as number the shortest text of its value in the type of the other source.
-- When:   source = csv
-- Order:  2
-- Edges:  Other text, such as abc, equals no number, and is no fault.
-- Rule:   column {column} writes ids in another way than the other source ({count}), so that 007 would not be 7
-- Do:     Write them as the other source does. If they are other ids, pass ids='text' instead.
SELECT id
FROM ids
WHERE id <> number
