-- The labels in the top of every query's list, and all its relevant items, from one scan of a labelled run.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $top, $ties, $item_low, $item_high, $item_codes and the partition ($parts, $part, $by_range, $part_low,
--         $part_high) as in tops/scores; $depth, the deepest cutoff, NULL for the whole list; $label_codes, a power of
--         two above the highest label; $most_relevant, the most labels above 0 to keep of a list, NULL for all.
-- Plan:   for found_lists/labelled: `max(number, k)` keeps k numbers a list, and each holds its label.
-- Edges:  found holds rank * $label_codes + label for each label above 0 in the top, codes holds the code of each item
--         with such a label, and labels counts these items. is_open is 1 if the order is not certain, as in
--         tops/scores, 2 if labels is above $most_relevant, and 3 if labels are not certain: a row has no query (it is
--         in each range), no item or no label, or an item with a label occurs twice, or without it in the top. The
--         items are codes with their labels: two copies of an item are equal if their labels are.
SELECT
  model,
  query,
  codes,
  labels,
  list_transform(
    list_filter(range(1, len(items) + 1), LAMBDA n: items[n] & ($label_codes - 1) > 0),
    LAMBDA n: CAST(n * $label_codes + (items[n] & ($label_codes - 1)) AS INTEGER)
  ) AS found,
  CAST(len(items) AS BIGINT) AS candidates,
  CASE
    WHEN query IS NULL OR lowest_code < 0 THEN 3
    WHEN labels > $most_relevant THEN 2
    WHEN
      len(
        list_filter(
          range(2, len(codes) + 1), LAMBDA n: xor(codes[n], codes[n - 1]) < $label_codes
        )
      ) > 0
      THEN 3
    WHEN
      len(
        list_filter(
          codes,
          LAMBDA code: list_position(
            items,
            CASE
              WHEN $ties = 'item' THEN (CAST($item_high AS BIGINT) - $item_low) * $label_codes - (code & -$label_codes)
              ELSE code & -$label_codes
            END
          ) > 0
        )
      ) > 0
      THEN 3
    WHEN unnumbered > 0 THEN 1
    WHEN $depth IS NULL AND len(places) > $top THEN 1
    WHEN len(list_filter(range(2, len(items) + 1), LAMBDA n: list_position(items, items[n]) < n)) > 0 THEN 1
    WHEN list_aggregate(places, 'bit_or') & (CAST($item_codes AS BIGINT) * $label_codes) = 0 THEN 0
    WHEN
      len(
        list_filter(
          range(2, len(places) + 1),
          LAMBDA n: xor(places[n], places[n - 1]) & 9223372036854775807
          < places[n] & (CAST($item_codes AS BIGINT) * $label_codes)
        )
      ) > 0
      THEN 1
    ELSE 0
  END AS is_open
FROM (
  SELECT
    model,
    query,
    codes,
    labels,
    lowest_code,
    places,
    unnumbered,
    list_transform(
      list_slice(places, 1, $top),
      LAMBDA place: place & (CAST($item_codes AS BIGINT) * $label_codes - 1)
    ) AS items
  FROM (
    SELECT
      model,
      query,
      max(number, $top + 1) AS places,
      CASE
        WHEN $most_relevant IS NULL THEN sorted_down(list(code) FILTER (WHERE code > 0))
        ELSE max(code, $most_relevant)
      END AS codes,
      count(code) AS labels,
      min(code) AS lowest_code,
      count(*) - count(number) AS unnumbered
    FROM labelled_numbers
    WHERE
      (NOT $by_range OR query BETWEEN $part_low AND $part_high OR query IS NULL)
      AND ($by_range OR $parts = 1 OR hash(query) % $parts = $part)
    GROUP BY model, query
  ) AS numbered
) AS looked_at
