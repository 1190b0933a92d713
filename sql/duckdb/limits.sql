-- The ranges of queries, items and scores (or ranks, or relevance) of a run or qrels.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose a fast plan.
-- Edges:  NULL for queries and items that are not whole numbers. DuckDB 2 reads only the statistics of parquet
--         files; of other sources it reads three columns.
SELECT
  row_count,
  CASE WHEN query_is_whole THEN TRY_CAST(CAST(query_low AS VARCHAR) AS HUGEINT) END AS query_low,
  CASE WHEN query_is_whole THEN TRY_CAST(CAST(query_high AS VARCHAR) AS HUGEINT) END AS query_high,
  CASE WHEN item_is_whole THEN TRY_CAST(CAST(item_low AS VARCHAR) AS HUGEINT) END AS item_low,
  CASE WHEN item_is_whole THEN TRY_CAST(CAST(item_high AS VARCHAR) AS HUGEINT) END AS item_high,
  score_low,
  score_high
FROM (
  SELECT
    row_count,
    query_low,
    query_high,
    item_low,
    item_high,
    score_low,
    score_high,
    list_contains(whole_numbers, typeof(query_low)) AS query_is_whole,
    list_contains(whole_numbers, typeof(item_low)) AS item_is_whole
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
) AS typed
