-- A query's rows lie together, the best first, as runs are usually written.
SELECT query, item, score
FROM candidates($rows, $width)
ORDER BY query, score DESC, item DESC
