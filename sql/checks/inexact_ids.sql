-- Ids that are floating-point numbers, and so large that different ids may have become equal.
--
-- Grain:  one row per such id.
-- Params: $exact, from which number on the type lacks some whole numbers; $in_list: true for ids of lists.
-- Reads:  ids, a column of floating-point numbers, and cast to DOUBLE.
-- When:   source = float
-- Order:  2
-- Rule:   column {column} holds ids as floating-point numbers, and some are so large that different ids become equal,
--         or are NaN in a list
-- Do:     Read or write the ids as text or as whole numbers, and leave NaN out of lists. pandas makes floating-point
--         numbers of whole numbers if one is missing: use the type Int64.
SELECT id
FROM ids
WHERE CASE WHEN isnan(number) THEN $in_list ELSE abs(number) >= $exact END
