-- The judged items of one query from two lists: each with its rank in the ranked list, in the order of the ranks.
--
-- Grain:  a single row.
-- Params: $recommended, the ranked items; $relevant, the judged items; $grades, the relevance of each of these, NULL if
--         it is 1.
-- Edges:  an item that is not recommended has no rank, and comes last. An empty list counts as one irrelevant item, as
--         in qrels that hold lists.
SELECT
  CASE
    WHEN len($relevant) = 0 THEN [{ 'rank': NULL, 'relevance': CAST(0 AS DOUBLE) }]
    ELSE sorted_up(ranks_of_items($recommended, $relevant, $grades))
  END AS judged
