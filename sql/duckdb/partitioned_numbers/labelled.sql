-- The numbers of the rows of a labelled run with one model, each with the partition of its query.
--
-- Grain:  one row per (query, item).
-- Params: $query_low, $query_high, the range of the queries, which are integers; $parts, the number of partitions.
-- Plan:   written to parquet files, one folder for each partition, which then are read in place of labelled_numbers.
-- Edges:  part is rounded, but is the same for all rows of a query.
SELECT
  query,
  code,
  number,
  CAST(floor((CAST(query AS DOUBLE) - $query_low) * $parts / ($query_high - $query_low + 1)) AS BIGINT) AS part
FROM labelled_numbers
