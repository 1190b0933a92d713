-- The top of every query's list, found with one number for each item that orders by score, then by item.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff, NULL for the whole list, and $top, the number of items kept of a list ($depth if
--         given); $ties, item_desc or item; $item_low, $item_high, the range of the run's items, which are whole
--         numbers, and $item_codes, a power of two above it; $parts, the number of partitions, and $part, the number
--         of this one, from 0: by the hash of the query or, with $by_range, from $part_low to $part_high.
-- Plan:   for packed, where items are whole numbers: `max(number, k)` keeps k numbers a list, and sorts no row.
-- Edges:  items are codes, item - $item_low, in list order. is_open is 1 if a candidate has no number, an item occurs
--         twice, two neighbours share an odd cell (their scores may differ), or the whole list is needed and longer
--         than $top. The sign bit is removed, so that numbers on the two sides of 0 do not look close. Most lists have
--         no odd cell: the bits of all places tell so at a fifth of the cost of looking at neighbours.
SELECT
  model,
  query,
  items,
  CAST(len(items) AS BIGINT) AS candidates,
  CASE
    WHEN unnumbered > 0 THEN 1
    WHEN $depth IS NULL AND len(places) > $top THEN 1
    WHEN len(list_filter(range(2, len(items) + 1), LAMBDA n: list_position(items, items[n]) < n)) > 0 THEN 1
    WHEN list_aggregate(places, 'bit_or') & $item_codes = 0 THEN 0
    WHEN
      len(
        list_filter(
          range(2, len(places) + 1),
          LAMBDA n: xor(places[n], places[n - 1]) & 9223372036854775807 < places[n] & $item_codes
        )
      ) > 0
      THEN 1
    ELSE 0
  END AS is_open
FROM (
  SELECT
    model,
    query,
    places,
    unnumbered,
    list_transform(
      list_slice(places, 1, $top),
      LAMBDA place: CAST(
        CASE
          WHEN $ties = 'item' THEN CAST($item_high AS BIGINT) - $item_low - (place & ($item_codes - 1))
          ELSE place & ($item_codes - 1)
        END AS INTEGER
      )
    ) AS items
  FROM (
    SELECT
      model,
      query,
      max(number, $top + 1) AS places,
      count(*) - count(number) AS unnumbered
    FROM numbers
    WHERE
      (NOT $by_range OR query BETWEEN $part_low AND $part_high)
      AND ($by_range OR $parts = 1 OR hash(query) % $parts = $part)
    GROUP BY model, query
  ) AS numbered
) AS looked_at
