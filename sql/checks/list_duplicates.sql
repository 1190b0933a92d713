-- Lists of judged items that hold an item twice, or NULL.
--
-- Grain:  one row per such row of the qrels.
-- Reads:  ids, lists of items as id, and lists of their relevance as number.
-- When:   source = parallel_lists
-- Rule:   a list of column {item}, next to the relevance in {number}, holds an item twice, or NULL
-- Do:     Keep each item once, with one relevance.
SELECT
  id,
  number
FROM ids
WHERE len(list_distinct(id)) < len(id)
