-- The number of lists and rows in a run.
--
-- Grain:  one row.
-- Params: none.
-- Plan:   before the data checks, to choose whether and how to store the lists that they share.
SELECT
  count(*) AS lists,
  CAST(coalesce(sum(items), 0) AS BIGINT) AS row_count
FROM (
  SELECT
    model,
    query,
    count(*) AS items
  FROM candidates
  GROUP BY model, query
) AS lengths
