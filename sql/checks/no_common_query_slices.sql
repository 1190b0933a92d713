-- A relation query_slices that holds the slice of no judged query.
--
-- Grain:  one row if there is none.
-- When:   slices = query_slices; nulls = drop; empty = error
-- Rule:   query_slices has no row with {by} for any judged query
-- Do:     Compare the values of {query} in query_slices with those in the qrels.
SELECT count(*) AS found
FROM (
  SELECT
    query,
    slice
  FROM per_query
  WHERE slice IS NOT NULL
  LIMIT 1
) AS known
HAVING count(*) = 0
