-- A relation query_slices that has a row for no judged query.
--
-- Grain:  one row if there is none.
-- When:   slices = query_slices; nulls = drop; empty = error
-- Rule:   query_slices has no row for any judged query
-- Do:     Compare the values of {query} in query_slices with those in the qrels.
SELECT count(*) AS found
FROM (SELECT query FROM per_query INNER JOIN query_slices USING (query) LIMIT 1) AS common
HAVING count(*) = 0
