-- The range of a run's queries, items and scores, which the statistics of parquet files and tables tell without a scan.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before running, to choose among the forms of a relation.
SELECT
  count(*) AS run_rows,
  min(query) AS query_low,
  max(query) AS query_high,
  min(item) AS item_low,
  max(item) AS item_high,
  min(score) AS score_low,
  max(score) AS score_high
FROM source
