-- One relevant item for every twenty candidates of the lists of skewed.
SELECT
  CAST(floor(power(i / $rows, 3) * ($rows // $width)) AS BIGINT) AS query,
  10000000 + i AS item,
  1 + CAST(hash(i, 'grade') % 3 AS BIGINT) AS relevance
FROM range($rows) AS numbers (i)
WHERE hash(i, 'relevant') % 20 = 0
