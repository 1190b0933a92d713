-- The top of every query's list as a list of its items, best first, and whether the rows of the run are sound.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff, NULL for the whole list.
-- Plan:   for judged/small. It sorts each list by itself, without a window over the run.
-- Edges:  the columns of retrieved, and items and is_sound. repeated_item is NULL if no item is there twice.
SELECT
  model,
  query,
  items,
  len(items) AS candidates,
  len(items) AS recommended,
  CASE WHEN len(list_distinct(items)) < len(items) THEN items[1] END AS repeated_item,
  is_sound
FROM (
  SELECT
    model,
    query,
    CASE
      WHEN $depth IS NULL THEN list(item ORDER BY score DESC, item DESC)
      ELSE list_slice(list(item ORDER BY score DESC, item DESC), 1, $depth)
    END AS items,
    count(item) = count(*) AND count(score) = count(*) AND model IS NOT NULL AND query IS NOT NULL AS is_sound
  FROM candidates
  GROUP BY model, query
) AS lists
