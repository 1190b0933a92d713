-- Ids in a text file that are spelled in another way than the numbers, dates or UUIDs of the other source.
--
-- Grain:  one row per such id.
-- Reads:  ids, a column as text, and as number the shortest text of its value in the type of the other source.
-- When:   source = csv
-- Order:  2
-- Edges:  Other text, such as abc, equals no number, and is no fault.
-- Rule:   ids in column {column} are spelled in another way than in the other source ({count}), as 007 and 7
-- Do:     Spell them as the other source does. If they are other ids, pass ids='text' instead.
SELECT id
FROM ids
WHERE id <> number
