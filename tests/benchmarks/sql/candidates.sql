-- All row_count candidates, width for each query, with a query's rows together but not ordered by score.
--
-- All values are computed from the row number, so that the data are the same on every machine.
-- item:      eight digits, so that text sorts like numbers. Items are unique in a query: each row has its own range of
--            items, in another order than the rows (37 has no common divisor with the widths).
-- score:     one of 2^24 values, so that ties are rare and 32-bit floats give the same order.
-- relevance: 1, 2 or 3 for one candidate in twenty, else 0.
CREATE OR REPLACE TEMP MACRO candidates(row_count, width) AS TABLE
SELECT
  i // width AS query,
  10000000
  + (i * 37 + i // width) % width * (80000000 // width)
  + CAST(hash(i, 'item') % (80000000 // width) AS BIGINT) AS item,
  CAST(hash(i, 'score') % 16777216 AS DOUBLE) / 16777216 AS score,
  CASE WHEN hash(i, 'relevant') % 20 = 0 THEN 1 + CAST(hash(i, 'grade') % 3 AS BIGINT) ELSE 0 END AS relevance
FROM range(row_count) AS numbers (i)
