-- The sets of columns in several parquet files, each with one file that has it.
--
-- Grain:  one row per set of columns.
-- Params: $path, the files.
-- Edges:  the same columns in another order are another set, which does no harm.
SELECT min(file_name) AS file_name
FROM (
  SELECT
    file_name,
    list([name, type, converted_type, logical_type]) AS file_columns
  FROM parquet_schema($path)
  GROUP BY file_name
) AS files
GROUP BY file_columns
ORDER BY file_name ASC
