-- The top of every query's list by the ranks of the run, found with one number for each item.
--
-- Grain:  one row per (model, query) of the run that has a rank down to $depth.
-- Params: $depth, the deepest cutoff; $item_low, the smallest item of the run (items are whole numbers), and
--         $item_codes, a power of two above their range; $parts, the number of partitions, and $part, the number of
--         this one, from 0: by the hash of the query or, with $by_range, from $part_low to $part_high.
-- Plan:   for packed, where items are whole numbers: `max(number, k)` keeps k numbers a list, and sorts no row.
-- Edges:  items are codes, item - $item_low, in list order. is_open is 1 if an item occurs twice, or the ranks are not
--         1, 2, 3, …: one more than $depth is kept, so that a repeated rank shows. Both are faults: if any list is
--         open, this plan is not used.
SELECT
  model,
  query,
  items,
  CAST(len(items) AS BIGINT) AS candidates,
  CASE
    WHEN len(list_filter(range(2, len(items) + 1), LAMBDA n: list_position(items, items[n]) < n)) > 0 THEN 1
    WHEN list_transform(places, LAMBDA place: place // $item_codes) = range($depth, $depth - len(places), -1) THEN 0
    ELSE 1
  END AS is_open
FROM (
  SELECT
    model,
    query,
    places,
    list_transform(list_slice(places, 1, $depth), LAMBDA place: CAST(place & ($item_codes - 1) AS INTEGER)) AS items
  FROM (
    SELECT
      model,
      query,
      max(
        ($depth + 1 - CAST(greatest(rank, 0) AS BIGINT)) * $item_codes + CAST(item AS BIGINT) - $item_low, $depth + 1
      ) AS places
    FROM candidates
    WHERE
      rank <= $depth
      AND (NOT $by_range OR query BETWEEN $part_low AND $part_high)
      AND ($by_range OR $parts = 1 OR hash(query) % $parts = $part)
    GROUP BY model, query
  ) AS numbered
) AS looked_at
