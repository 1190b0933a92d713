-- Queries that belong to two slices.
--
-- Grain:  one row per such query.
-- When:   slices = run
-- Rule:   a query has two values of {by}
-- Do:     Average within columns that are the same in all rows of a query, or put the column into the qrels too and add
--         it to query=.
SELECT query
FROM run_source
GROUP BY query
HAVING NOT (min(slice) = max(slice))
