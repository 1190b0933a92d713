-- Judged queries whose slice is unknown.
--
-- Grain:  one row per such query, whatever the number of models.
-- Params: $missing, the policy for queries missing from the run: 'skip' leaves them out, whatever their slice.
-- When:   slices = qrels, run, query_slices; nulls = error
-- Seen:   lists
-- Rule:   {by} is NULL for a judged query, or no row gives its value
-- Do:     Fill in the column (in the qrels or query_slices, for every query), or pass nulls='drop' to leave such
--         queries out of its slices, or missing='skip' to leave out queries that are missing from the run.
SELECT DISTINCT
  query,
  slice
FROM per_query
WHERE NOT (slice IS NOT NULL) AND NOT ($missing = 'skip' AND retrieved = 0)
