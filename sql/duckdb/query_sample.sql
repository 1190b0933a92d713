-- The range and the type of the queries in the first rows of a run.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to see whether the rows of a query lie together.
SELECT
  min(query) AS query_low,
  max(query) AS query_high,
  typeof(min(query)) AS query_type
FROM (
  SELECT query
  FROM source
  LIMIT 100000
) AS sampled
