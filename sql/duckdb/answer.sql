-- The whole answer to a small question: counts, means, the values of queries as lists, and whether the data are sound.
--
-- Grain:  one row per model.
-- Params: $mean, how values are averaged; $missing and $no_relevant, which may be 'error'; $largest_relevance, the
--         bound of relevance for exact sums; $text_items, true if items are text, which may hold lists.
-- Plan:   for runs with few rows, where a statement costs more than its rows. It runs with judged/small.
-- Edges:  is_sound is true only if no data check of `evaluate` would find a fault. least_relevance, most_relevance and
--         forms_differ say if a note is to be looked for: forms_differ is true if ids of one side have a form that
--         those of the other lack (unlike_forms). may_be_reversed is true if more relevant items of a model have a
--         score below the middle of their list than above (reversed_scores). The values are those of averages. `value`,
--         `value_mean` and `value_queries` are repeated for each metric.
SELECT
  model,
  count(*) AS judged,
  max(run_queries) AS retrieved_queries,
  count(CASE WHEN retrieved > 0 THEN 1 END) AS both_sides,
  count(CASE WHEN relevant = 0 THEN 1 END) AS without_relevant,
  count(repeated_item) = 0
  AND max(retrieved) > 0
  AND max(relevant) > 0
  AND ($missing <> 'error' OR min(retrieved) > 0)
  AND ($no_relevant <> 'error' OR min(relevant) > 0)
  AND count(CASE WHEN are_sound_lists AND are_sound_qrels THEN 1 END) = count(*) AS is_sound,
  max(lowest_relevance) AS least_relevance,
  max(highest_relevance) AS most_relevance,
  max(forms_of_run) <> max(forms_of_qrels) AS forms_differ,
  max(most_below) > 0 AS may_be_reversed,
  typeof(model) AS model_type,
  list(CAST(model AS VARCHAR)) AS models,
  min(typeof(query)) AS query_type,
  list(CAST(query AS VARCHAR)) AS query,
  list(relevant) AS relevant,
  list(retrieved) AS retrieved,
  list(value) AS value,
  CASE
    WHEN $mean = 'sum' THEN exact_sum_of_many(value)
    ELSE exact_sum_of_many(value) / nullif(CAST(count(value) AS DOUBLE), 0)
  END AS value_mean,
  count(value) AS value_queries
FROM per_query
CROSS JOIN (
  SELECT
    count(CASE WHEN is_sound THEN 1 END) = count(*) AS are_sound_lists,
    bit_or(forms) AS forms_of_run
  FROM retrieved
) AS lists
CROSS JOIN (
  SELECT
    count(CASE WHEN is_sound THEN 1 END) = count(*) AND 2 * count(joined_ids) < count(*) AS are_sound_qrels,
    min(lowest) AS lowest_relevance,
    max(highest) AS highest_relevance,
    bit_or(forms) AS forms_of_qrels
  FROM (
    SELECT
      CASE WHEN $text_items AND count(*) = 1 AND regexp_matches(max(item), '[\s,;|]') THEN 1 END AS joined_ids,
      len(list_distinct(list(item))) = count(*)
      AND count(relevance) = count(*)
      AND (NOT $text_items OR count(CASE WHEN has_bracket(item) THEN 1 END) = 0)
      AND max(relevance) < $largest_relevance
      AND query IS NOT NULL AS is_sound,
      min(relevance) AS lowest,
      max(relevance) AS highest,
      bit_or(CASE WHEN $text_items THEN form_of(item) ELSE 0 END) AS forms
    FROM qrels
    GROUP BY query
  ) AS judgements_of_query
) AS all_qrels
CROSS JOIN (
  SELECT max(below) AS most_below
  FROM (
    SELECT count(CASE WHEN score < middle_score THEN 1 END) - count(CASE WHEN score > middle_score THEN 1 END) AS below
    FROM candidates
    INNER JOIN retrieved USING (model, query)
    INNER JOIN graded USING (query, item)
    WHERE is_relevant = 1
    GROUP BY model
  ) AS relevant_of_model
) AS relevant_of_models
GROUP BY model
ORDER BY model ASC NULLS FIRST
