-- The queries that may judge an item more than once.
--
-- Grain:  one row per such query.
-- Params: $too_many, so many judgements of a query are too many to be looked through; $parts, into how many parts the
--         queries are divided, and $part, which of them this is, from 0: by their hash or, $by_range, from $part_low to
--         $part_high.
-- Plan:   before the check qrels_duplicates, which is then run only where there is such a query: `max(item, n)` sorts
--         the items of each query for a third of what a group for each item costs.
-- Edges:  a query that has too many judgements is one. Items are whole numbers of 64 bits: of others, max() keeps more.
SELECT query
FROM (
  SELECT
    query,
    max(CAST(item AS BIGINT), $too_many) AS items
  FROM qrels
  WHERE
    (NOT $by_range OR query BETWEEN $part_low AND $part_high)
    AND ($by_range OR $parts = 1 OR hash(query) % $parts = $part)
  GROUP BY query
) AS lists
WHERE
  len(items) = $too_many
  OR len(list_filter(range(2, len(items) + 1), LAMBDA n: items[n] = items[n - 1])) > 0
