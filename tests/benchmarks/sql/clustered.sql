-- A query's rows lie together, in no order.
SELECT query, item, score
FROM candidates($rows, $width)
