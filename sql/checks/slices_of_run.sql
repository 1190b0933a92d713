-- Queries with two slices.
--
-- Grain:  one row per such query.
-- When:   slices = run
-- Rule:   a query has two values of {by}
-- Do:     In by=, name columns with one value per query. Or add the column to the qrels as well and name it in
--         query=.
SELECT query
FROM run_source
GROUP BY query
HAVING NOT (min(slice) = max(slice))
