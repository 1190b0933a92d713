-- The labels of every judged query as a list, and those in the top of its list with their ranks.
--
-- Grain:  one row per (model, judged query).
-- Params: $label_codes, a power of two above the highest label; $item_low, the smallest of the run's items; $any_open:
--         true if a list is open.
-- Plan:   for judged_lists, with tops/labelled. No judgement is read again.
-- Edges:  found holds rank * $label_codes + label, in the order of ranks. An open list is ranked by definition.
SELECT
  model,
  query,
  codes,
  found,
  retrieved
FROM (
  SELECT
    model,
    query,
    codes,
    found,
    candidates AS retrieved
  FROM tops
  WHERE is_open = 0
  UNION ALL
  SELECT
    model,
    query,
    codes,
    sorted_up(
      list_filter(
        list_transform(
          codes,
          LAMBDA code: CAST(list_position(items, code // $label_codes) AS BIGINT) * $label_codes
          + (code & ($label_codes - 1))
        ),
        LAMBDA place: place >= $label_codes
      )
    ) AS found,
    CAST(len(items) AS BIGINT) AS retrieved
  FROM tops
  INNER JOIN (
    SELECT
      model,
      query,
      list(CAST(item AS BIGINT) - $item_low ORDER BY rank ASC) AS items
    FROM ranked
    GROUP BY model, query
  ) AS open_lists USING (model, query)
  WHERE $any_open AND is_open = 1
) AS lists
