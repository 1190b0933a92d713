-- One judgement for every ten candidates: half of candidates, half of items that were not retrieved.
SELECT query, item, relevance
FROM candidates($rows, $width)
WHERE relevance > 0
UNION ALL
SELECT i // $width AS query, 90000000 + i // 20 AS item, 1 + CAST(hash(i, 'grade') % 3 AS BIGINT) AS relevance
FROM range(0, $rows, 20) AS numbers (i)
