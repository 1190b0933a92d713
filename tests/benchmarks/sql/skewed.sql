-- Lists of very different lengths: in 5 M rows of width 100, the longest has 136,000 rows, and the shortest about 33.
SELECT
  CAST(floor(power(i / $rows, 3) * ($rows // $width)) AS BIGINT) AS query,
  10000000 + i AS item,
  CAST(hash(i, 'score') % 16777216 AS DOUBLE) / 16777216 AS score
FROM range($rows) AS numbers (i)
