-- A TREC run file: lines of query, Q0, item, rank, score, tag.
--
-- Grain:  one row per line of the file, without empty lines and comments, which begin with #.
-- Params: none.
-- Reads:  text_lines, the file or files.
-- Source: trec_eval 10.0, README: the fourth field, the rank, is ignored. The tag ends at a blank.
-- Edges:  a line with a tab is split at tabs, so that ids may hold blanks; other lines are split at blanks. Ids stay
--         text. is_sound is 0 for a line of another form, which the check `trec_lines` refuses, and for a comment that
--         has the form of a retrieved item, as of a query #1.
SELECT
  fields[1] AS query,
  fields[2] AS iteration,
  fields[3] AS item,
  score,
  number_in(fields[4]) AS rank,
  regexp_extract(fields[6], '^[^ ]*') AS model,
  line,
  CASE WHEN len(fields) = 6 AND left(fields[1], 1) <> '#' AND score IS NOT NULL THEN 1 ELSE 0 END AS is_sound
FROM (
  SELECT
    line,
    fields,
    number_in(fields[5]) AS score
  FROM (
    SELECT
      line,
      fields_of(content) AS fields
    FROM (
      SELECT
        line,
        stripped(line) AS content
      FROM text_lines
      WHERE regexp_matches(line, '[^ \t\r]')
    ) AS contents
  ) AS split
) AS numbered
WHERE left(fields[1], 1) <> '#' OR (len(fields) = 6 AND fields[1] <> '#' AND score IS NOT NULL)
