-- The value of every metric for every judged query, with the policies applied.
--
-- Grain:  one row per (model, judged query), and with item slices one per (model, judged query, item slice).
-- Params: $no_relevant, for a query without relevant items: 'skip' leaves it out (NULL), otherwise it counts with its
--         values, 0 for 0 / 0; $missing, for a query for which the run retrieves nothing: 'skip' leaves it out;
--         $undefined: 'skip' for a metric that leaves out undefined values whatever the policies are; $item_sliced:
--         true with item slices.
-- Edges:  `raw` and `value` are repeated for each metric. Other values of 0 / 0, such as precision without any
--         recommended item, follow no_relevant. An item slice leaves out a query without relevant items in it,
--         whatever the policies are.
SELECT
  model,
  query,
  CASE WHEN $item_sliced AND item_slice_no > 0 THEN item_slice WHEN NOT $item_sliced THEN slice END AS slice,
  item_slice_no,
  relevant_items AS relevant,
  coalesce(candidates, 0) AS retrieved,
  repeated_item,
  run_queries,
  query_weight,
  CASE
    WHEN $item_sliced AND item_slice_no > 0 AND relevant_items = 0 THEN NULL
    WHEN $no_relevant = 'skip' AND relevant_items = 0 THEN NULL
    WHEN $missing = 'skip' AND coalesce(candidates, 0) = 0 THEN NULL
    WHEN $undefined = 'skip' OR ($no_relevant = 'skip' AND $missing = 'skip') THEN CAST(raw AS DOUBLE)
    WHEN $no_relevant = 'skip' AND coalesce(candidates, 0) > 0 THEN CAST(raw AS DOUBLE)
    ELSE coalesce(CAST(raw AS DOUBLE), 0)
  END AS value
FROM measured
LEFT JOIN models USING (model)
LEFT JOIN retrieved USING (model, query)
LEFT JOIN slices USING (query)
LEFT JOIN numbered_slices USING (item_slice_no)
LEFT JOIN weighted USING (query)
