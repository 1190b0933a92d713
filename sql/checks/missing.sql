-- Judged queries that the run does not hold.
--
-- Grain:  one row per such (model, query).
-- When:   missing = error
-- Rule:   the run does not hold a judged query
-- Do:     Add the query to the run, or choose missing='zero' to count it as 0, or missing='skip' to leave it out.
SELECT
  model,
  query
FROM per_query
WHERE retrieved = 0
