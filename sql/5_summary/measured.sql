-- Every judged query, with the value of every metric, NULL where it is undefined.
--
-- Grain:  one row per (model, judged query), and with item slices one per (model, judged query, item slice).
-- Params: none.
-- Edges:  the projections of the metric files replace `raw`. A value of 0 / 0 is NULL.
SELECT
  model,
  query,
  item_slice_no,
  CAST(relevant_items(is_relevant) AS BIGINT) AS relevant_items,
  CAST(NULL AS DOUBLE) AS raw
FROM judged
GROUP BY model, query, item_slice_no
