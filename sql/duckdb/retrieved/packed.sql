-- What the run holds for every query, as far down as any metric looks.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $any_open, whether any list is open.
-- Plan:   with tops: a list that is not open holds no item twice.
-- Edges:  repeated_item is NULL in a sound list; otherwise an item that the list holds more than once.
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
