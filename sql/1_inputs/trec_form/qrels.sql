-- What the lines of a qrels file without a header say about its form.
--
-- Grain:  a single row.
-- Params: none.
-- Reads:  lines, the file as trec_qrels reads it.
-- Edges:  in TREC qrels, all lines have one iteration, and grades lie between -127 and 127. In a file of user, item,
--         rating and time, the second field varies and the fourth is large.
SELECT
  count(*) AS line_count,
  coalesce(sum(is_sound), 0) AS sound_lines,
  min(iteration) AS first_iteration,
  max(iteration) AS last_iteration,
  max(abs(relevance)) AS largest_number
FROM lines
