-- The items of the lists of the run that hold an item twice, or NULL.
--
-- Grain:  one row per row of the run of such a list.
-- Params: none.
-- Plan:   replaces run for the check run_duplicates of a large run: comparing short lists is faster than groups.
SELECT
  model,
  query,
  unnest(items) AS item
FROM (
  SELECT
    model,
    query,
    list(item) AS items
  FROM run
  GROUP BY model, query
) AS lists
WHERE NOT all_differ(items)
