-- The run, from a relation with one list of items in rank order per query.
--
-- Grain:  one row per (model, query, place in the list).
-- Params: $nulls: 'drop' removes NULL lists.
-- Edges:  an empty list retrieves nothing. A NULL list has a row without an item, which run_ids refuses. score is a
--         number that gives the same order.
SELECT
  model,
  query,
  item,
  rank,
  -CAST(rank AS DOUBLE) AS score
FROM (
  SELECT
    model,
    query,
    unnest(list_concat(items, CASE WHEN items IS NULL THEN [NULL] END)) AS item,
    unnest(generate_series(1, coalesce(len(items), 1))) AS rank
  FROM run_source
  WHERE $nulls <> 'drop' OR items IS NOT NULL
) AS places
