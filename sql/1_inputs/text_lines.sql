-- The lines of text files.
--
-- Grain:  one row per line of the files, in their order.
-- Params: $path, the file or files.
SELECT line
FROM read_csv(
  $path,
  columns = { 'line': 'VARCHAR' }, header = FALSE, delim = chr(1114111), quote = '', escape = '',
  strict_mode = FALSE, hive_partitioning = FALSE
)
