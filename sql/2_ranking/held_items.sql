-- The number of queries in the training data that hold an item.
--
-- Grain:  one row per item of the training data.
-- Params: none.
-- Edges:  a repeated pair counts once.
SELECT
  item,
  count(*) AS holders
FROM (
  SELECT
    query,
    item
  FROM training
  GROUP BY query, item
) AS held
GROUP BY item
