-- Runs that hold none of the judged queries.
--
-- Grain:  one row per judged query of such a run.
-- When:   empty = error
-- Seen:   lists, one_pass
-- Rule:   the run holds none of the queries of the qrels
-- Do:     Compare the values of {query} in the run with those of {qrels_query} in the qrels. With unjudged='drop',
--         compare the items too.
SELECT
  model,
  query
FROM per_query
QUALIFY max(retrieved) OVER (PARTITION BY model) = 0
