-- The queries that may judge an item more than once.
--
-- Grain:  one row per such query.
-- Params: $too_many, the number of judgements from which a query is not scanned; $parts, the number of partitions, and
--         $part, the number of this one, from 0: by the hash of the query or, with $by_range, from $part_low to
--         $part_high.
-- Plan:   before the check qrels_duplicates, which then runs only if there is such a query. `max(item, n)` sorts the
--         items of a query at a third of the cost of grouping by item.
-- Edges:  a query with too many judgements is returned too. Items must be 64-bit integers: of others, max() keeps more.
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
