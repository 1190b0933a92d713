-- The queries of all levels in one order, whether or not a model has them.
--
-- Grain:  one row per (level_no, level_place).
-- Params: none.
-- Edges:  position numbers the rows from 1, level after level. size is the number of queries of the level.
SELECT
  level_no,
  level_place,
  row_number() OVER (ORDER BY level_no ASC NULLS FIRST, level_place ASC NULLS FIRST) AS position,
  max(level_place) OVER (PARTITION BY level_no) + 1 AS size
FROM levels
GROUP BY level_no, level_place
