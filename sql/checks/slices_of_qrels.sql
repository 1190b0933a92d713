-- Queries that belong to two slices.
--
-- Grain:  one row per such query.
-- When:   slices = qrels
-- Rule:   a query has two values of {by}
-- Do:     Average within columns that are the same in all rows of a query, or put the column into the run too and add
--         it to query=.
SELECT query
FROM qrels
GROUP BY query
HAVING NOT (min(slice) = max(slice))
