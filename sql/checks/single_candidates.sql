-- A run in a file without a header in which every query has one candidate.
--
-- Grain:  one row, with the first query, if there are several queries.
-- Reads:  ids, the queries of the rows.
-- When:   source = named_columns
-- Rule:   every query has one candidate
-- Do:     If a line of the file holds a query and several items, pass columns='query,item,...'.
SELECT min(id) AS id
FROM ids
HAVING count(*) > 1 AND count(*) = count(DISTINCT id)
