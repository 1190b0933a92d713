-- The top of every query's list, found with one number for each item, of whatever type.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff, NULL for the whole list, and $top, the number of items kept of a list ($depth if
--         given); $item_codes, the number of hashes; $parts, the number of partitions, and $part, the number of this
--         one, from 0: by the hash of the query or, with $by_range, from $part_low to $part_high.
-- Plan:   for placed/hashed: `max(number, k)` keeps k numbers a list, and sorts no row.
-- Edges:  places are the numbers in list order. is_open is 1 if the order or the items are not certain: a candidate
--         has no number, neighbours share a cell, a hash occurs twice, or the whole list is needed and longer than
--         $top.
SELECT
  model,
  query,
  places,
  CAST(least(len(places), $top) AS BIGINT) AS candidates,
  CASE
    WHEN unnumbered > 0 THEN 1
    WHEN $depth IS NULL AND len(places) > $top THEN 1
    WHEN
      len(
        list_filter(
          range(2, len(places) + 1), LAMBDA n: xor(places[n], places[n - 1]) BETWEEN 0 AND $item_codes - 1
        )
      ) > 0
      THEN 1
    WHEN
      len(list_filter(range(2, len(codes) + 1), LAMBDA n: list_position(codes, codes[n]) < n)) > 0
      THEN 1
    ELSE 0
  END AS is_open
FROM (
  SELECT
    model,
    query,
    places,
    unnumbered,
    list_transform(places, LAMBDA place: CAST(place & ($item_codes - 1) AS INTEGER)) AS codes
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
