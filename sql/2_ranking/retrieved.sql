-- What the run holds for every query, as far down as any metric looks.
--
-- Grain:  one row per (model, query) of the run.
-- Params: none.
-- Edges:  repeated_item is NULL in a sound list; otherwise an item that the list holds more than once.
SELECT
  model,
  query,
  CAST(sum(copies) AS BIGINT) AS candidates,
  CAST(sum(recommended_copies) AS BIGINT) AS recommended,
  max(CASE WHEN copies > 1 THEN item END) AS repeated_item
FROM (
  SELECT
    model,
    query,
    item,
    count(*) AS copies,
    sum(is_recommended) AS recommended_copies
  FROM ranked
  GROUP BY model, query, item
) AS items
GROUP BY model, query
