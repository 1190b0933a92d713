-- Ids are text, and sort as the numbers do.
SELECT printf('user_%08d', query) AS query, 'item_' || item AS item, score
FROM candidates($rows, $width)
