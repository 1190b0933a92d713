-- The range of a run's queries, items and scores, or ranks, or of those of qrels and their relevance.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Edges:  the statistics of parquet files and tables tell it without a scan.
-- Plan:   before running, to choose among the forms of a relation.
SELECT
  count(*) AS row_count,
  min(query) AS query_low,
  max(query) AS query_high,
  min(item) AS item_low,
  max(item) AS item_high,
  min(score) AS score_low,
  max(score) AS score_high
FROM source
