-- The range of the queries, which are integers, in the first rows of a run.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to see whether the rows of a query lie together.
SELECT
  min(query) AS query_low,
  max(query) AS query_high
FROM (
  SELECT query
  FROM source
  LIMIT 100000
) AS sampled
