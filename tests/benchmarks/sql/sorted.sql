-- A query's rows are together, best first, as most runs are written.
SELECT query, item, score
FROM candidates($rows, $width)
ORDER BY query, score DESC, item DESC
