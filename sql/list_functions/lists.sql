-- The judged items of one query as lists, for the functions of other dialects: their ranks and their relevance.
--
-- Grain:  a single row.
-- Params: $recommended, the ranked items; $relevant, the judged items; $grades, the relevance of each of these, NULL if
--         it is 1; $keys, $places and $items, one of these lists.
-- Edges:  an item that is not recommended has no rank. In the order of the ranks, it comes last.
SELECT
  list_transform($relevant, LAMBDA item: list_position($recommended, item)) AS ranks,
  CASE
    WHEN is_given($grades) THEN list_transform(grades_of($relevant, $grades), LAMBDA grade: CAST(grade AS DOUBLE))
    ELSE list_transform($relevant, LAMBDA item: CAST(1 AS DOUBLE))
  END AS relevances,
  list_transform($items, LAMBDA rank: coalesce(rank, 2147483647)) AS keys,
  order_up($keys) AS places,
  sorted_by($items, $keys, $places) AS sorted
