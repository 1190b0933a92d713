-- A file of lines that hold a key, such as a user, and then any number of items.
--
-- Grain:  one row per line of the file, without empty lines.
-- Params: $path, the file or files; $separator, a regular expression for what separates the fields.
-- Edges:  ids stay text. A line of a key alone has an empty list.
SELECT
  fields[1] AS key,
  fields[2:] AS items
FROM (
  SELECT regexp_split_to_array(stripped(line), $separator) AS fields
  FROM
    read_csv(
      $path,
      columns = { 'line': 'VARCHAR' }, header = FALSE, delim = chr(1114111), quote = '', escape = '',
      strict_mode = FALSE, hive_partitioning = FALSE
    )
  WHERE regexp_matches(line, '[^ \t\r]')
) AS lines
