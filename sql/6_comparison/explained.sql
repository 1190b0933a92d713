-- The items of queries in the lists of a model and of the baseline, with their relevance.
--
-- Grain:  one row per (query, item) that is in the first k of either list, or judged.
-- Params: $query_value, the query (the composer writes the condition for several); $model and $baseline, two models,
--         $baseline NULL for one list alone; $one_model: true if the run has one model; $top, how many items of a list
--         count, NULL for all.
-- Edges:  baseline_rank and rank are NULL for an item that the list lacks. change says what happened in the first k:
--         entered, left, up, down or same; NULL for an item that is in neither. Relevant items come first.
SELECT
  query,
  item,
  relevance,
  baseline_rank,
  rank,
  CASE
    WHEN $baseline IS NULL THEN CAST(NULL AS VARCHAR)
    WHEN baseline_top = 0 AND own_top = 0 THEN NULL
    WHEN baseline_top = 0 THEN 'entered'
    WHEN own_top = 0 THEN 'left'
    WHEN rank < baseline_rank THEN 'up'
    WHEN rank > baseline_rank THEN 'down'
    ELSE 'same'
  END AS change,
  coalesce(mark, 0) = 1 AS is_relevant
FROM (
  SELECT
    query,
    item,
    max(grade) AS relevance,
    max(mark) AS mark,
    max(base_rank) AS baseline_rank,
    max(own_rank) AS rank,
    max(CASE WHEN base_rank <= $top OR ($top IS NULL AND base_rank > 0) THEN 1 ELSE 0 END) AS baseline_top,
    max(CASE WHEN own_rank <= $top OR ($top IS NULL AND own_rank > 0) THEN 1 ELSE 0 END) AS own_top
  FROM (
    SELECT
      query,
      item,
      CAST(NULL AS DOUBLE) AS grade,
      NULL AS mark,
      CASE WHEN $one_model THEN NULL WHEN model = $baseline THEN rank END AS base_rank,
      CASE WHEN $one_model OR model = $model THEN rank END AS own_rank
    FROM ranked
    WHERE query = $query_value AND is_recommended = 1
    UNION ALL
    SELECT
      query,
      item,
      CAST(relevance AS DOUBLE) AS grade,
      is_relevant AS mark,
      NULL AS base_rank,
      NULL AS own_rank
    FROM graded
    WHERE query = $query_value
  ) AS listed_or_judged
  GROUP BY query, item
) AS items
WHERE baseline_top = 1 OR own_top = 1 OR relevance IS NOT NULL
ORDER BY
  query ASC NULLS FIRST,
  is_relevant DESC NULLS LAST,
  rank ASC NULLS LAST,
  baseline_rank ASC NULLS LAST,
  item ASC NULLS FIRST
