-- The similarity of two items, in both orders.
--
-- Grain:  one row per (item, other item).
-- Params: none.
-- Edges:  a repeated pair, in either order, has its highest similarity.
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
