-- Every query in the run, with the size of its list.
--
-- Grain:  one row per (model, query) of the run.
-- Params: none.
-- Edges:  the numbers are those down to the deepest cutoff; with ranks = given, of the whole list. repeated_item is
--         an item that the list holds twice, or NULL.
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
