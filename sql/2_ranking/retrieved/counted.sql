-- Every query in the run, with the size of its list.
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
