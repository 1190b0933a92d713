-- Judged queries that are missing from the run.
--
-- Grain:  one row per such (model, query).
-- When:   missing = error
-- Seen:   lists, one_pass
-- Rule:   a judged query is missing from the run
-- Do:     Add the query to the run, or choose missing='zero' to count it as 0, or missing='skip' to leave it out.
SELECT
  model,
  query
FROM per_query
WHERE retrieved = 0 AND item_slice_no < 1
