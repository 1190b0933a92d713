-- How many queries of the training data hold an item.
--
-- Grain:  one row per item of the training data.
-- Params: none.
-- Edges:  a pair that stands there twice counts once.
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
