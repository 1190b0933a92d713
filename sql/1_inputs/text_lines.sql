-- The lines of a text file with their numbers.
--
-- Grain:  one row per line of the file.
-- Params: $path, the file.
SELECT
  row_number() OVER () AS line_number,
  line
FROM read_csv(
  $path,
  columns = { 'line': 'VARCHAR' }, header = FALSE, delim = chr(1114111), quote = '', escape = '',
  strict_mode = FALSE, hive_partitioning = FALSE
)
