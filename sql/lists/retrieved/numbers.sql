-- The columns of retrieved/lists, found with one number for each item that orders by score, then by item.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff, NULL for the whole list; $top, the numbers to keep of a list, NULL for all;
--         $ties, item_desc or item; $item_low and $item_high, the range of the items, and $item_codes, a power of two
--         above it; $score_scale, a power of two that makes scores fill the other bits; $no_item, an item that may be
--         padding, or NULL; $are_ranks and $sampled, as in retrieved/lists.
-- Plan:   for large runs with whole-number items: `max(number, k)` keeps k numbers a list, and sorts no row.
-- Edges:  number is cell * $item_codes + the distance of the item from $item_low or, if $ties is item, from $item_high.
--         The cell of a score x is 2 * x * $score_scale if that is whole, and an odd number between two such. The
--         product is computed as a double, which is exact, because a cell may be too large for a product of integers.
--         is_sound is false if a row has no number, a list longer than $top is read further, or two neighbours share an
--         odd cell, as their scores may differ. The sign bit is removed, so that numbers on the two sides of 0 do not
--         look close.
SELECT
  model,
  query,
  items,
  row_count AS candidates,
  CASE WHEN $depth IS NULL THEN row_count ELSE least(row_count, $depth) END AS recommended,
  CASE WHEN NOT all_differ(items) THEN list_extract(items, 1) END AS repeated_item,
  are_numbered
  AND ($top IS NULL OR coalesce($depth <= $top, FALSE) OR row_count <= $top)
  AND CASE
    WHEN list_aggregate(numbers, 'bit_or') & $item_codes = 0 THEN TRUE
    ELSE len(
      list_filter(
        range(2, len(numbers) + 1),
        LAMBDA n: xor(list_extract(numbers, n), list_extract(numbers, n - 1)) & 9223372036854775807
        < list_extract(numbers, n) & $item_codes
      )
    ) = 0
  END
  AND (NOT $are_ranks OR are_ranks_of(items, scores)) AS is_sound,
  places,
  middle_score(places) AS middle_score,
  CAST(NULL AS INTEGER) AS forms
FROM (
  SELECT
    model,
    query,
    row_count,
    are_numbered,
    numbers,
    places,
    list_transform(
      numbers,
      LAMBDA number: CAST(number - (number & ($item_codes - 1)) AS DOUBLE) / (2 * $item_codes * $score_scale)
    ) AS scores,
    list_transform(
      list_slice(numbers, 1, coalesce($depth, $top, -1)),
      LAMBDA number: CASE
        WHEN $ties = 'item' THEN $item_high - (number & ($item_codes - 1))
        ELSE (number & ($item_codes - 1)) + $item_low
      END
    ) AS items
  FROM (
    SELECT
      model,
      query,
      CASE WHEN $top IS NULL THEN sorted_down(list(number)) ELSE max(number, $top + 1) END AS numbers,
      count(*) AS row_count,
      count(number) = count(*)
      AND ($no_item IS NULL OR count(CASE WHEN item = $no_item THEN 1 END) = 0)
      AND model IS NOT NULL
      AND query IS NOT NULL AS are_numbered,
      list({ 'score': score, 'item': CAST(item AS BIGINT) })
      FILTER (WHERE hash(query) % $sampled = 0 AND item IS NOT NULL) AS places
    FROM (
      SELECT
        model,
        query,
        item,
        score,
        TRY_CAST(
          (floor(score * $score_scale) + ceil(score * $score_scale)) * CAST($item_codes AS DOUBLE) AS BIGINT
        )
        + CASE
          WHEN $ties = 'item' THEN $item_high - CAST(item AS BIGINT)
          ELSE CAST(item AS BIGINT) - $item_low
        END AS number
      FROM candidates
    ) AS numbered
    GROUP BY model, query
  ) AS grouped
) AS listed
