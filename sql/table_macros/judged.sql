-- The judged items of every query, each with its rank in the list of a model.
--
-- Grain:  one row per (model, judged query).
-- Params: $threshold, $gain, $missing and $no_relevant, the arguments.
-- Edges:  judged is as in list_functions/judged. is_counted is false for a query that a policy leaves out. otherwise is
--         the value of a query without one: 0, or NULL if no_relevant leaves it out.
SELECT
  model,
  query,
  slice,
  judged,
  retrieved,
  relevant_items,
  len(list_filter(judged, LAMBDA _row: struct_extract(_row, 'rank') >= 1)) AS found,
  not(($missing = 'skip' AND retrieved = 0) OR ($no_relevant = 'skip' AND relevant_items = 0)) AS is_counted,
  CASE WHEN $no_relevant = 'zero' OR retrieved = 0 THEN CAST(0 AS DOUBLE) END AS otherwise
FROM (
  SELECT
    model,
    query,
    slice,
    judged,
    CAST(coalesce(len(recommended), 0) AS BIGINT) AS retrieved,
    len(list_filter(judged, LAMBDA _row: struct_extract(_row, 'is_relevant') = 1)) AS relevant_items
  FROM (
    SELECT
      model,
      query,
      slice,
      recommended,
      recall_duckdb._judged_list(recommended, relevant, grades := grades, threshold := $threshold, gain := $gain)
        AS judged
    FROM (
      SELECT DISTINCT model
      FROM run_lists
    ) AS models
    CROSS JOIN qrels_lists
    LEFT JOIN run_lists USING (model, query)
  ) AS lists
) AS counted
