-- The items of every judged query that have a relevance above 0, as a list of numbers.
--
-- Grain:  one row per judged query.
-- Params: $judged_low, the smallest judged item (items are whole numbers); $label_codes, a power of two above the
--         highest label: the relevance, or 0 if that is negative.
-- Plan:   for found_lists/packed, if the run has ranks. It also finds every fault of the qrels.
-- Edges:  a code is (item - $judged_low) * $label_codes + label. is_faulty is 1 if a query, an item or a label is NULL,
--         an item is judged twice, or a relevance is not a whole number below $label_codes. Long lists are sorted to
--         find duplicates; up to 64 items, comparing each with all is faster.
SELECT
  query,
  list_filter(codes, LAMBDA code: code & ($label_codes - 1) > 0) AS codes,
  CASE
    WHEN query IS NULL THEN 1
    WHEN unlabelled > 0 THEN 1
    WHEN len(items) > 64
      THEN CAST(len(list_filter(range(2, len(items) + 1), LAMBDA n: items[n] = items[n - 1])) > 0 AS INTEGER)
    WHEN len(list_filter(range(2, len(items) + 1), LAMBDA n: list_position(items, items[n]) < n)) > 0 THEN 1
    ELSE 0
  END AS is_faulty
FROM (
  SELECT
    query,
    codes,
    unlabelled,
    CASE
      WHEN len(codes) > 64 THEN sorted_up(list_transform(codes, LAMBDA code: code & -$label_codes))
      ELSE list_transform(codes, LAMBDA code: code & -$label_codes)
    END AS items
  FROM (
    SELECT
      query,
      list((CAST(item AS BIGINT) - $judged_low) * $label_codes + label) AS codes,
      count(*) - count(CASE WHEN item IS NOT NULL THEN label END) AS unlabelled
    FROM (
      SELECT
        query,
        item,
        CASE
          WHEN relevance <= 0 THEN 0
          WHEN relevance < $label_codes AND relevance = floor(relevance) THEN CAST(relevance AS BIGINT)
        END AS label
      FROM judgements
    ) AS labelled_items
    GROUP BY query
  ) AS lists
) AS decoded
