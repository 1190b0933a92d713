-- How alike two items are, whichever is named first.
--
-- Grain:  one row per (item, other item).
-- Params: none.
-- Edges:  a pair that is given twice, in the same or the other order, has the higher similarity.
SELECT
  item AS item,
  other AS other,
  max(similarity) AS similarity
FROM (
  SELECT
    item AS item,
    other AS other,
    similarity AS similarity
  FROM pairs
  UNION ALL
  SELECT
    other AS item,
    item AS other,
    similarity AS similarity
  FROM pairs
) AS both_ways
GROUP BY item, other
