-- The queries that judge an item more than once.
--
-- Grain:  one row per such query.
-- Params: $parts, into how many parts the queries are divided, and $part, which of them this is, from 0: by their hash
--         or, $by_range, from $part_low to $part_high.
-- Plan:   before the check qrels_duplicates, which is then not run: a list for each query, sorted, costs a third of a
--         group for each item, but all lists are held in memory.
SELECT query AS query
FROM (
  SELECT
    query AS query,
    list_sort(list(item)) AS items
  FROM qrels
  WHERE
    (NOT $by_range OR query BETWEEN $part_low AND $part_high)
    AND ($by_range OR $parts = 1 OR hash(query) % $parts = $part)
  GROUP BY query
) AS lists
WHERE len(list_filter(range(2, len(items) + 1), LAMBDA n: items[n] = items[n - 1])) > 0
