-- The qrels of a question without qrels, for metrics that need no judgements: the queries of the run.
--
-- Grain:  one row per query of the run, without an item.
-- Params: none.
SELECT
  query,
  max(CASE WHEN item IS NULL THEN item END) AS item,
  CAST(0 AS DOUBLE) AS relevance
FROM run
GROUP BY query
