-- Ids, models or slices in JSON of another type than the first ones, from which DuckDB takes the type of the column.
--
-- Grain:  one row per such id.
-- Params: $is_whole: true if the first values are whole numbers.
-- Reads:  ids, a column as text and cast to its type.
-- When:   source = json
-- Order:  2
-- Edges:  DuckDB would round 1.5 to 2.
-- Rule:   DuckDB took the type of column {column} from the first rows, which are numbers, but later values are not of
--         this type
-- Do:     Write all values of the column as text. If the first ones are whole numbers, and run and qrels write an id
--         in the same way, you can pass ids='text' instead.
SELECT id
FROM ids
WHERE
  id IS NOT NULL
  AND NOT (number IS NOT NULL AND (NOT $is_whole OR regexp_full_match(id, '[+-]?[0-9]+(\.0+)?')))
