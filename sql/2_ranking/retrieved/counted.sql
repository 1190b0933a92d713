-- Every query in the run, with the number of its candidates and recommended items.
--
-- Grain:  one row per (model, query) of the run.
-- Params: none.
SELECT
  model,
  query,
  CAST(count(*) AS BIGINT) AS candidates,
  CAST(sum(is_recommended) AS BIGINT) AS recommended
FROM ranked
GROUP BY model, query
