-- What each label is worth: its gain, and whether it is relevant.
--
-- Grain:  one row.
-- Params: none.
-- Plan:   for judged_lists: a label, plus 1, is the place in these lists.
SELECT
  list(gain ORDER BY relevance ASC) AS gain_of,
  list(is_relevant ORDER BY relevance ASC) AS relevant_of
FROM graded
