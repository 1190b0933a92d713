-- The rows of per_query, also one for each list that is not judged, and what says whether the data are sound.
--
-- Grain:  one row per (model, query) that is judged or has a list.
-- Params: $no_relevant, $missing, $undefined: as in per_query.
-- Plan:   with measured/lists.
-- Edges:  the columns are those of per_query, and is_judged, soundness and signs. The values of a query that is not
--         judged or not sound, and a wrong weight, are NULL, so that no sum overflows before the fault is found.
SELECT
  model,
  query,
  CASE WHEN is_judged = 1 THEN slice END AS slice,
  relevant_items AS relevant,
  candidates AS retrieved,
  repeated_item,
  run_queries,
  CASE WHEN is_judged = 1 AND query_weight BETWEEN 0 AND 2 THEN query_weight END AS query_weight,
  is_judged,
  is_sound,
  are_sound_qrels,
  joined_ids,
  lowest,
  highest,
  forms,
  forms_of_qrels,
  below,
  CASE
    WHEN is_judged IS NULL OR NOT are_sound_qrels THEN NULL
    WHEN $no_relevant = 'skip' AND relevant_items = 0 THEN NULL
    WHEN $missing = 'skip' AND candidates = 0 THEN NULL
    WHEN $undefined = 'skip' THEN CAST(raw AS DOUBLE)
    WHEN $no_relevant = 'skip' AND candidates > 0 THEN CAST(raw AS DOUBLE)
    ELSE coalesce(CAST(raw AS DOUBLE), 0)
  END AS value
FROM measured
LEFT JOIN models USING (model)
LEFT JOIN slices USING (query)
LEFT JOIN weighted USING (query)
