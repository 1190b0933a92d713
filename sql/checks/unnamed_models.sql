-- A column of the run that no argument names, but whose name is usual for models, with several values.
--
-- Grain:  one row, with the first value, if there are several.
-- Reads:  ids, a column of the run, and cast to text.
-- When:   source = model_column
-- Rule:   no argument names column {column}, but its name is usual for models, and it holds several values
-- Do:     If they are models, pass the column as model=, or each model as a run of its own. If all rows of a query
--         are one list, pass the run without the column.
SELECT min(number) AS id
FROM ids
HAVING min(number) <> max(number)
