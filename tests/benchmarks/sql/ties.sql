-- Scores are the whole numbers from 0 to 9.
SELECT query, item, floor(score * 10) AS score
FROM candidates($rows, $width)
