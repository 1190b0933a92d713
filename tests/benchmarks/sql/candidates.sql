-- All candidates, a query's together but not in the order of their scores: row_count of them, width a query.
--
-- Everything follows from the number of the row, so that the data are the same wherever they are built.
-- item:      eight digits, so that text sorts as the numbers do; once in a query, since each of its rows has a range of
--            its own, in another order than the rows (37 has no divisor in common with the widths).
-- score:     one of 2^24 values, so that ties are rare and a library of 32-bit floats sees the same order.
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
