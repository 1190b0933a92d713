-- Queries with two slices.
--
-- Grain:  one row per such query.
-- When:   slices = qrels
-- Rule:   a query has two values of {by}
-- Do:     In by=, name columns with one value per query. Or add the column to the run as well and name it in query=.
SELECT query
FROM qrels
GROUP BY query
HAVING NOT (min(slice) = max(slice))
