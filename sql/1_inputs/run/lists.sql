-- The run, from a relation with one list of items in rank order per query.
--
-- Grain:  one row per (model, query, place in the list).
-- Params: none.
-- Edges:  an empty or NULL list retrieves nothing. score is a number that gives the same order.
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
