-- Lists in rank order, next to numbers that would order their items in another way.
--
-- Grain:  one row per such row among the first 1,000 of the run, if all of these lists have the length of the numbers.
-- Reads:  ids, lists of items as id, and lists of numbers as number.
-- When:   source = parallel_lists
-- Params: $is_distance: true if the lowest number is the best.
-- Rule:   the lists of {item} are ranked by position, but {number} orders their items in another way
-- Do:     If it holds their scores, pass {by_score}.
SELECT
  id,
  number
FROM (
  SELECT
    id,
    number,
    count(CASE WHEN len(id) <> len(number) THEN 1 END) OVER () AS other_lengths
  FROM (
    SELECT
      id,
      number
    FROM ids
    LIMIT 1000
  ) AS first_lists
) AS measured_lists
WHERE
  other_lengths = 0
  AND number <> CASE WHEN $is_distance THEN sorted_up(number) ELSE sorted_down(number) END
