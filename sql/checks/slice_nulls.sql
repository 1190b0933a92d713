-- Judged queries of which the slice is not known.
--
-- Grain:  one row per such (model, query).
-- Params: $missing, a query for which the run retrieves nothing: 'skip' leaves it out, whatever its slice.
-- When:   slices = qrels, run; nulls = error
-- Rule:   {by} is NULL for a judged query, or the rows that would say it are missing
-- Do:     Fill the column in, in the qrels for every query, or pass nulls='drop' to count such a query in the total
--         alone, or missing='skip' to leave out one that the run lacks.
SELECT
  model,
  query,
  slice
FROM per_query
WHERE NOT (slice IS NOT NULL) AND NOT ($missing = 'skip' AND retrieved = 0)
