-- The run, with each faulty row at the top of its list and without its item, so that no cutoff hides it.
--
-- Grain:  one row per row of the run.
-- Params: none.
-- Plan:   for judged/one_pass, instead of a further scan for the checks of rows.
-- Edges:  a row is faulty if its item or score is NULL, and also if its score is infinite, because nothing may be above
--         a faulty row.
SELECT
  model,
  query,
  CASE WHEN score < CAST('1.7976931348623157e308' AS DOUBLE) THEN item END AS item,
  CASE
    WHEN item IS NOT NULL AND score < CAST('1.7976931348623157e308' AS DOUBLE) THEN score
    ELSE CAST('1.7976931348623157e308' AS DOUBLE)
  END AS score
FROM run
