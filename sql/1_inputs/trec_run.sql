-- A TREC run file: lines of query, Q0, item, rank, score, tag, separated by white space.
--
-- Grain:  one row per line of the file, without empty lines and comments, which begin with #.
-- Params: $path, the file or files.
-- Source: trec_eval 10.0, README: the fourth field, the rank, is ignored, and so is anything after the tag.
-- Edges:  ids stay text. is_sound is 0 for a line of another form, which the check `trec_lines` refuses.
SELECT
  fields[1] AS query,
  fields[3] AS item,
  TRY_CAST(fields[5] AS DOUBLE) AS score,
  fields[6] AS model,
  line,
  CASE WHEN len(fields) >= 6 AND TRY_CAST(fields[5] AS DOUBLE) IS NOT NULL THEN 1 ELSE 0 END AS is_sound
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
