-- The rows of the open lists of a labelled run, with their labels.
--
-- Grain:  one row per row of such a list.
-- Params: none.
-- Plan:   for the check mixed_labels, which then reads no other list.
SELECT
  query,
  item,
  score,
  relevance
FROM labelled
INNER JOIN tops USING (query)
WHERE is_open = 1
