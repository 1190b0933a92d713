-- A query's rows are together, best first, with the rank instead of the score.
SELECT query, item, row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank
FROM candidates($rows, $width)
ORDER BY query, rank
