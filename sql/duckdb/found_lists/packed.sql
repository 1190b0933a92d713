-- The labels of every judged query as a list, and those in the top of its list with their ranks.
--
-- Grain:  one row per (model, judged query); every model has every judged query.
-- Params: $label_codes, a power of two above the highest label; $item_low, $item_high, the range of the run's items;
--         $judged_low, the smallest judged item.
-- Plan:   for judged_lists, with packed: a query is joined to its list once, not once for each judgement.
-- Edges:  found holds rank * $label_codes + label, in the order of ranks.
SELECT
  model,
  query,
  codes,
  sorted_up(
    list_filter(
      list_transform(
        codes,
        LAMBDA code: CASE
          WHEN
            code // $label_codes
            BETWEEN CAST($item_low AS BIGINT) - $judged_low AND CAST($item_high AS BIGINT) - $judged_low
            THEN
              list_position(items, CAST(code // $label_codes + $judged_low - $item_low AS INTEGER)) * $label_codes
              + (code & ($label_codes - 1))
        END
      ),
      LAMBDA place: place >= $label_codes
    )
  ) AS found,
  CAST(coalesce(len(items), 0) AS BIGINT) AS retrieved
FROM models
CROSS JOIN labels
LEFT JOIN packed USING (model, query)
