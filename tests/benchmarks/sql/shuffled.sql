-- Rows in the order of a hash: the worst case.
SELECT query, item, score
FROM candidates($rows, $width)
ORDER BY hash(query, item)
