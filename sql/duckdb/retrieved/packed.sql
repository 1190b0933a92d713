-- The number of candidates and recommended items of every query in the run, down to the deepest cutoff.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $any_open: true if a list is open.
-- Plan:   with tops: a list that is not open holds no item twice.
-- Edges:  repeated_item is an item that the list holds more than once, NULL if there is none.
SELECT
  model,
  query,
  candidates,
  recommended,
  repeated_item
FROM (
  SELECT
    model,
    query,
    candidates,
    candidates AS recommended,
    NULL AS repeated_item
  FROM tops
  WHERE is_open = 0
  UNION ALL
  SELECT
    model,
    query,
    CAST(sum(copies) AS BIGINT) AS candidates,
    CAST(sum(copies) AS BIGINT) AS recommended,
    max(CASE WHEN copies > 1 THEN item END) AS repeated_item
  FROM (
    SELECT
      model,
      query,
      item,
      count(*) AS copies
    FROM ranked
    GROUP BY model, query, item
  ) AS items
  WHERE $any_open
  GROUP BY model, query
) AS lists
