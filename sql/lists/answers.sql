-- The counts of every model, whether the data are sound, and the signs for notes.
--
-- Grain:  one row per model.
-- Params: $missing and $no_relevant, which may be 'error'; $weighted, true with weights; $sampled: see retrieved/lists.
-- Plan:   its columns are computed with averages, from per_query/lists.
-- Edges:  signs say if a note may be found. forms_differ: ids of one side have a form that those of the other lack
--         (unlike_forms). may_be_reversed: more relevant items score below the middle of their list than above, and by
--         more than chance, or too few lists have signs. may_be_tied: no list of a sample has. is_sound: no check that
--         sees lists would find a fault.
SELECT
  model,
  count(is_judged) AS judged,
  coalesce(max(run_queries), 0) AS retrieved_queries,
  count(CASE WHEN is_judged = 1 AND retrieved > 0 THEN 1 END) AS both_sides,
  count(CASE WHEN relevant = 0 THEN 1 END) AS without_relevant,
  CAST(coalesce(sum(retrieved), 0) AS BIGINT) AS candidates,
  count(repeated_item) = 0
  AND max(CASE WHEN is_judged = 1 THEN retrieved ELSE 0 END) > 0
  AND max(relevant) > 0
  AND ($missing <> 'error' OR min(CASE WHEN is_judged = 1 THEN retrieved END) > 0)
  AND ($no_relevant <> 'error' OR min(relevant) > 0)
  AND count(CASE WHEN are_sound_qrels THEN 1 END) = count(is_judged)
  AND count(CASE WHEN retrieved > 0 AND NOT is_sound THEN 1 END) = 0
  AND (count(joined_ids) = 0 OR 2 * count(joined_ids) < count(is_judged))
  AND count(
    CASE
      WHEN is_judged = 1 AND NOT (slice IS NOT NULL) AND NOT ($missing = 'skip' AND retrieved = 0) THEN 1
    END
  ) = 0
  AND (NOT $weighted OR count(query_weight) = count(is_judged)) AS is_sound,
  min(lowest) AS least_relevance,
  max(highest) AS most_relevance,
  bit_or(forms) <> bit_or(forms_of_qrels) AS forms_differ,
  coalesce(sum(below) > 0 AND power(sum(below), 2) >= 4 * sum(below * below), FALSE)
  OR ($sampled <> 1 AND count(nullif(below, 0)) < 32) AS may_be_reversed,
  count(nullif(below, 0)) = 0 AS may_be_tied
FROM per_query
GROUP BY model
