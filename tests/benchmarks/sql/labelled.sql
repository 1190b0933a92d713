-- One relation with scores and labels.
SELECT query, item, score, relevance
FROM candidates($rows, $width)
