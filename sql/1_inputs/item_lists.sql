-- A file of lines that hold a key, such as a user, and then any number of items.
--
-- Grain:  one row per line of the file, without empty lines.
-- Params: $separator, a regular expression for what separates the fields.
-- Reads:  text_lines, the file or files.
-- Edges:  ids stay text. A line of a key alone has an empty list.
SELECT
  fields[1] AS key,
  fields[2:] AS items
FROM (
  SELECT regexp_split_to_array(stripped(line), $separator) AS fields
  FROM text_lines
  WHERE regexp_matches(line, '[^ \t\r]')
) AS lines
