-- The top of every query's list by the ranks of the run, found with one number for each item.
--
-- Grain:  one row per (model, query) of the run that has a rank down to $depth.
-- Params: $depth, the deepest cutoff; $item_low, the smallest item of the run (items are whole numbers), and
--         $item_codes, a power of two above their range; $parts, the number of partitions, and $part, the number of
--         this one, from 0: by the hash of the query or, with $by_range, from $part_low to $part_high.
-- Plan:   for packed, where items are whole numbers: `max(number, k)` keeps k numbers a list, and sorts no row.
-- Edges:  items are codes, item - $item_low, in list order. is_open is 1 if an item occurs twice, or the ranks are not
--         1, 2, 3, …: one more than $depth is kept, so that a repeated rank shows. Both are faults: if any list is
--         open, this plan is not used. Down to 62, each rank is a bit of ranks_seen, and any rank below 1 is bit 0: if
--         the lowest bits are set, as many as there are items, each rank occurs once. An item that does not occur twice
--         is at its first position in the list, so that the positions add up to n * (n + 1) / 2.
SELECT
  model,
  query,
  items,
  CAST(len(items) AS BIGINT) AS candidates,
  CASE
    WHEN len(places) > $depth THEN 1
    WHEN $depth <= 62 AND ranks_seen <> (9223372036854775807 >> greatest(62 - len(places), 0)) - 1 THEN 1
    WHEN
      $depth > 62
      AND list_transform(places, LAMBDA place: place // $item_codes) <> range($depth, $depth - len(places), -1)
      THEN 1
    WHEN
      list_aggregate(list_transform(items, LAMBDA item: list_position(items, item)), 'sum')
      = len(items) * (len(items) + 1) // 2
      THEN 0
    ELSE 1
  END AS is_open
FROM (
  SELECT
    model,
    query,
    places,
    ranks_seen,
    list_transform(places, LAMBDA place: CAST(place & ($item_codes - 1) AS INTEGER)) AS items
  FROM (
    SELECT
      model,
      query,
      max(
        ($depth + 1 - CAST(greatest(rank, 0) AS BIGINT)) * $item_codes + CAST(item AS BIGINT) - $item_low, $depth + 1
      ) AS places,
      bit_or(CAST(1 AS BIGINT) << least(CAST(greatest(rank, 0) AS BIGINT), 62)) AS ranks_seen
    FROM candidates
    WHERE
      rank <= $depth
      AND (NOT $by_range OR query BETWEEN $part_low AND $part_high)
      AND ($by_range OR $parts = 1 OR hash(query) % $parts = $part)
    GROUP BY model, query
  ) AS numbered
) AS looked_at
