-- The number of queries in the training data.
--
-- Grain:  one row.
-- Params: none.
SELECT count(*) AS training_queries
FROM (
  SELECT query
  FROM training
  GROUP BY query
) AS trained
