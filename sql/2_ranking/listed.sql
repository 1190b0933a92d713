-- The items that run and qrels are restricted to.
--
-- Grain:  one row per item of the user's relation.
-- Params: none.
SELECT
  item,
  1 AS is_listed
FROM items
GROUP BY item
