-- All scores are equal, so that the items decide every order.
SELECT query, item, CAST(0.5 AS DOUBLE) AS score
FROM candidates($rows, $width)
