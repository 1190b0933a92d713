-- The rows of a run, and the ranges of its queries, items and scores (or ranks).
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose the key of the lists.
-- Edges:  NULL for queries and items that are not whole numbers. DuckDB 2 reads only the statistics of parquet
--         files; of other sources it reads three columns.
SELECT
  row_count,
  CASE WHEN list_contains(whole_numbers, typeof(query_low)) THEN TRY_CAST(CAST(query_low AS VARCHAR) AS HUGEINT) END
    AS query_low,
  CASE WHEN list_contains(whole_numbers, typeof(query_high)) THEN TRY_CAST(CAST(query_high AS VARCHAR) AS HUGEINT) END
    AS query_high,
  CASE WHEN list_contains(whole_numbers, typeof(item_low)) THEN TRY_CAST(CAST(item_low AS VARCHAR) AS HUGEINT) END
    AS item_low,
  CASE WHEN list_contains(whole_numbers, typeof(item_high)) THEN TRY_CAST(CAST(item_high AS VARCHAR) AS HUGEINT) END
    AS item_high,
  score_low,
  score_high
FROM (
  SELECT
    count(*) AS row_count,
    min(query) AS query_low,
    max(query) AS query_high,
    min(item) AS item_low,
    max(item) AS item_high,
    CAST(min(score) AS DOUBLE) AS score_low,
    CAST(max(score) AS DOUBLE) AS score_high,
    [
      'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT',
      'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT'
    ] AS whole_numbers
  FROM source
) AS ranges
