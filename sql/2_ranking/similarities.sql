-- How alike two items are, whichever is named first.
--
-- Grain:  one row per (item, other item).
-- Params: none.
-- Edges:  a pair that is given twice, in the same or the other order, has the higher similarity.
SELECT
  one AS item,
  two AS other,
  max(degree) AS similarity
FROM (
  SELECT
    item AS one,
    other AS two,
    similarity AS degree
  FROM pairs
  UNION ALL
  SELECT
    other AS one,
    item AS two,
    similarity AS degree
  FROM pairs
) AS both_ways
GROUP BY one, two
