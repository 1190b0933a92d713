-- The run, with each faulty row at the top of its list and without its item, so that no cutoff hides it.
--
-- Grain:  one row per row of the run.
-- Params: $no_item, an item that may be padding, or NULL; $text_items, true if items are text that may hold lists.
-- Plan:   for judged/one_pass, instead of a further scan for the checks of rows.
-- Edges:  a row is faulty if its item or score is NULL, if its item may be padding or is the text of a list, and also
--         if its score is infinite, because nothing may be above a faulty row.
SELECT
  model,
  query,
  CASE
    WHEN score < CAST('1.7976931348623157e308' AS DOUBLE) AND ($no_item IS NULL OR item <> $no_item) THEN item
  END AS item,
  CASE
    WHEN
      item IS NOT NULL
      AND ($no_item IS NULL OR item <> $no_item)
      AND score < CAST('1.7976931348623157e308' AS DOUBLE)
      THEN score
    ELSE CAST('1.7976931348623157e308' AS DOUBLE)
  END AS score
FROM (
  SELECT
    model,
    query,
    CASE WHEN NOT ($text_items AND is_list_text(item)) THEN item END AS item,
    score
  FROM run
) AS single_items
