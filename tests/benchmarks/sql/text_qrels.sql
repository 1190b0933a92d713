-- The judgements of qrels.sql, with text ids.
SELECT printf('user_%08d', query) AS query, 'item_' || item AS item, relevance
FROM candidates($rows, $width)
WHERE relevance > 0
UNION ALL
SELECT
  printf('user_%08d', i // $width) AS query,
  'item_' || (90000000 + i // 20) AS item,
  1 + CAST(hash(i, 'grade') % 3 AS BIGINT) AS relevance
FROM range(0, $rows, 20) AS numbers (i)
