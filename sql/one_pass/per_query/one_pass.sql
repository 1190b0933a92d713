-- The rows of per_query, and if the data of the model are sound.
--
-- Grain:  one row per (model, judged query).
-- Params: $no_relevant, $missing, $undefined: as in per_query.
-- Plan:   with judged/one_pass: retrieved and models are not read.
-- Edges:  the columns are those of per_query, and is_sound. Slices are not supported.
SELECT
  model,
  query,
  relevant_items AS relevant,
  candidates AS retrieved,
  run_queries,
  CASE WHEN query_weight BETWEEN 0 AND 2 THEN query_weight END AS query_weight,
  is_sound,
  CASE
    WHEN $no_relevant = 'skip' AND relevant_items = 0 THEN NULL
    WHEN $missing = 'skip' AND candidates = 0 THEN NULL
    WHEN $undefined = 'skip' THEN CAST(raw AS DOUBLE)
    WHEN $no_relevant = 'skip' AND candidates > 0 THEN CAST(raw AS DOUBLE)
    ELSE coalesce(CAST(raw AS DOUBLE), 0)
  END AS value
FROM (
  SELECT
    model,
    query,
    has_judgements,
    candidates,
    relevant_items,
    raw,
    sum(CASE WHEN candidates > 0 THEN 1 ELSE 0 END) OVER (PARTITION BY model) AS run_queries,
    min(is_sound) OVER (PARTITION BY model) AS is_sound
  FROM (
    SELECT
      model,
      query,
      max(is_judged) AS has_judgements,
      max(candidates) AS candidates,
      min(is_sound) AS is_sound,
      max(relevant_items) AS relevant_items,
      max(CASE WHEN is_judged = 1 THEN raw END) AS raw
    FROM measured
    GROUP BY model, query
  ) AS queries
) AS all_queries
LEFT JOIN weighted USING (query)
WHERE has_judgements = 1
