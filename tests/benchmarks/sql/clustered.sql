-- A query's rows are together, in no order.
SELECT query, item, score
FROM candidates($rows, $width)
