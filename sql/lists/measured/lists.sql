-- The values of all metrics, each made of its file in 4_metrics as an expression over lists.
--
-- Grain:  one row per (model, query) that is judged or has a list.
-- Params: none.
-- Plan:   for per_query/lists.
-- Edges:  the projections of the metrics replace `raw`; `relevant_items` is repeated for each threshold.
SELECT
  model,
  query,
  relevant_items,
  candidates,
  is_judged,
  repeated_item,
  is_sound,
  are_sound_qrels,
  joined_ids,
  lowest,
  highest,
  forms,
  forms_of_qrels,
  below,
  CAST(NULL AS DOUBLE) AS raw
FROM joined_lists
