-- Text ids, which sort like the numbers.
SELECT printf('user_%08d', query) AS query, 'item_' || item AS item, score
FROM candidates($rows, $width)
