-- run, from a relation with a row per query that holds the list of its items in rank order.
--
-- Grain:  one row per (model, query, place in the list).
-- Params: none.
-- Edges:  an empty or NULL list retrieves nothing. score is a number that gives this order.
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
    unnest(items) AS item,
    unnest(generate_series(1, len(items))) AS rank
  FROM run_source
) AS places
