-- The rows of the lists that hold more labels than were kept.
--
-- Grain:  one row per (model, query, item) of such a list.
-- Params: none.
-- Plan:   replaces labelled_numbers for tops/labelled, which then reads these lists again, with all their labels.
SELECT
  model,
  query,
  code,
  number
FROM labelled_numbers
INNER JOIN tops USING (model, query)
WHERE is_open = 2
