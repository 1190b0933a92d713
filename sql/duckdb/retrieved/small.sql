-- The top of every query's list as a list of its items, best first, and whether the rows of the run are sound.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff, NULL for the whole list; $no_item, an item that may be padding, or NULL;
--         $text_items, true if items are text, which may hold lists.
-- Plan:   for judged/small. It sorts each list by itself, without a window over the run.
-- Edges:  the columns of retrieved, and items, is_sound and forms. repeated_item is NULL if no item is duplicated.
SELECT
  model,
  query,
  items,
  len(items) AS candidates,
  len(items) AS recommended,
  CASE WHEN len(list_distinct(items)) < len(items) THEN items[1] END AS repeated_item,
  is_sound,
  middle_score,
  forms
FROM (
  SELECT
    model,
    query,
    CASE
      WHEN $depth IS NULL THEN list(item ORDER BY score DESC, item DESC)
      ELSE list_slice(list(item ORDER BY score DESC, item DESC), 1, $depth)
    END AS items,
    count(item) = count(*)
    AND count(score) = count(*)
    AND ($no_item IS NULL OR count(CASE WHEN item = $no_item THEN 1 END) = 0)
    AND (NOT $text_items OR count(CASE WHEN has_bracket(item) THEN 1 END) = 0)
    AND model IS NOT NULL
    AND query IS NOT NULL AS is_sound,
    median(score) AS middle_score,
    bit_or(CASE WHEN $text_items THEN form_of(item) ELSE 0 END) AS forms
  FROM candidates
  GROUP BY model, query
) AS lists
