-- What the random words of one sample draw from: a word of 128 bits draws four queries of one level.
--
-- Grain:  a single row, with lists that have an element for each word of a sample.
-- Params: none.
-- Edges:  starts holds the position before the first query of the level.
SELECT
  count(*) AS words,
  list(level_no ORDER BY position ASC NULLS FIRST) AS level_numbers,
  list(level_place // 4 ORDER BY position ASC NULLS FIRST) AS numbers,
  list(position - level_place - 1 ORDER BY position ASC NULLS FIRST) AS starts,
  list(size ORDER BY position ASC NULLS FIRST) AS sizes
FROM levels
WHERE level_place % 4 = 0
