-- The numbers of the rows of a labelled run, each with the partition of its query.
--
-- Grain:  one row per (query, item).
-- Params: $query_low, $query_high, the range of the queries, which are whole numbers; $parts, the number of partitions.
-- Plan:   written to parquet files, one folder for each partition. The files are then read instead of labelled_numbers.
-- Edges:  rounding may move a query to the next partition; all rows of a query stay together.
SELECT
  query,
  code,
  number,
  CAST(
    floor(
      CAST(CAST(query AS HUGEINT) - $query_low AS DOUBLE) * $parts / (CAST($query_high AS HUGEINT) - $query_low + 1)
    ) AS BIGINT
  ) AS part
FROM labelled_numbers
