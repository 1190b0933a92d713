-- Queries with two slices.
--
-- Grain:  one row per such query.
-- When:   slices = qrels
-- Rule:   a query has two values of {by}
-- Do:     In by=, name columns with one value per query. Or name the column in query= as well: then run and qrels must
--         both have it, and it cannot be the column of relevance.
SELECT query
FROM qrels
GROUP BY query
HAVING NOT (min(slice) = max(slice))
