-- A TREC qrels file: lines of query, iteration, item, relevance, separated by white space.
--
-- Grain:  one row per line of the file, without empty lines and comments, which begin with #.
-- Params: $path, the file or files.
-- Source: trec_eval 10.0, README: anything after the relevance is ignored.
-- Edges:  ids stay text. is_sound is 0 for a line of another form, which the check `trec_lines` refuses, and for a
--         line of a run (Q0 and six fields), whose rank would be read as relevance. Qrels with six fields have 0
--         there.
SELECT
  fields[1] AS query,
  fields[3] AS item,
  TRY_CAST(fields[4] AS DOUBLE) AS relevance,
  line,
  CASE
    WHEN len(fields) >= 6 AND upper(fields[2]) = 'Q0' AND TRY_CAST(fields[5] AS DOUBLE) IS NOT NULL THEN 0
    WHEN len(fields) >= 4 AND TRY_CAST(fields[4] AS DOUBLE) IS NOT NULL THEN 1
    ELSE 0
  END AS is_sound
FROM (
  SELECT
    line,
    regexp_split_to_array(trim(line, e' \t\r'), '[ \t]+') AS fields
  FROM read_csv(
    $path,
    columns = { 'line': 'VARCHAR' }, header = FALSE, delim = e'\x01', quote = '', escape = '', strict_mode = FALSE,
    hive_partitioning = FALSE
  )
) AS lines
WHERE left(trim(line, e' \t\r'), 1) NOT IN ('', '#')
