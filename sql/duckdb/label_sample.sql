-- The labels in a sample of a labelled run.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose a fast plan.
-- Edges:  relevant_rows counts the rows with a relevance above 0, unusual_rows those with a relevance that is not a
--         whole number.
SELECT
  count(*) AS row_count,
  count(CASE WHEN relevance > 0 THEN 1 END) AS relevant_rows,
  count(CASE WHEN relevance <> floor(relevance) THEN 1 END) AS unusual_rows
FROM (
  SELECT CAST(relevance AS DOUBLE) AS relevance
  FROM source
  LIMIT 100000
) AS sampled
